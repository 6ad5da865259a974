/* lookup.h - rows of the metadata that are found through other rows: who owns a method, which type
 * has a name, what attributes an item has. A rid is 0 where there is none.
 * Source: ECMA-335 II.22.10, II.22.32, II.22.37. */
#pragma once

#include "metadata/heaps.h"

/* TypeDef rid of the type that owns a method or field row; 0 when none. Binary search over the list
 * column. */
uint32_t owner_of_method(const struct metadata *md, uint32_t method_rid);
uint32_t owner_of_field(const struct metadata *md, uint32_t field_rid);
/* TypeDef rid of a type that is not nested, or 0. */
uint32_t type_named(const struct metadata *md, const char *type_namespace, const char *name);
/* Was the module compiled by F#? It then refers to FSharp.Core. */
bool compiled_by_fsharp(const struct metadata *md);
/* TypeDef rid of the enclosing class of a nested type, or 0. */
uint32_t enclosing_type(const struct metadata *md, uint32_t type_rid);

/* Namespace, name and the token of the type around it (0: none) of a TypeDef or TypeRef; false
 * for any other token. */
bool type_parts(struct str *space, struct str *name, uint32_t *encloser, const struct metadata *md,
                uint32_t token);

/* Is it the type of this full name, "N.Outer/Inner"? */
bool type_is(const struct metadata *md, uint32_t token, const char *name_in_full);

/* Is there a custom attribute of this full name
 * ("System.Runtime.CompilerServices.CompilerGeneratedAttribute") on the item with this token? Its
 * value blob comes out in *value (may be NULL). */
bool has_attribute(const struct metadata *md, uint32_t token, const char *full_name,
                   struct view *value);

/* Of a TypeSpec that is an instantiation the token of its definition (II.23.2.14), of any other
 * TypeSpec 0; other tokens are returned as they are. */
uint32_t type_definition(const struct metadata *md, uint32_t token);
/* What a type, by its TypeDef rid, derives from: a definition as above, or 0. */
uint32_t base_of_type(const struct metadata *md, uint32_t type_rid);
/* Does it derive from System.ValueType? An enum does not. */
bool type_is_structure(const struct metadata *md, uint32_t type_rid);
/* The type that declares a method or field (MethodDef, Field or MemberRef), of an instantiation its
 * definition: the token of a TypeDef or TypeRef, or 0. */
uint32_t type_of_member(const struct metadata *md, uint32_t token);
/* The type that the constructor of a CustomAttribute row belongs to, likewise. */
uint32_t type_of_attribute(const struct metadata *md, uint32_t attribute_rid);
