/* libxml.c - libxml2, loaded when the first of its functions is called.
 *
 * Most runs of ilcov read no XML. But as a library that the program is linked with, libxml2 brings
 * ICU and the C++ library, and relocating those costs more than most of what a short run does.
 * So the program is linked with these functions, which have libxml2's names and call libxml2's.
 * Where libxml2 is an archive, and in the tests, this file isn't part of the program (Makefile). */
#include <dlfcn.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlreader.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#ifndef LIBXML_SONAME /* the Makefile asks the linker's library */
#define LIBXML_SONAME "libxml2.so.2"
#endif

/* NULL if there is none, which is said once. ilcov reads XML on one thread. */
static void *find_in_libxml(const char *name)
{
    static void *library;
    static bool is_tried;
    if (!is_tried)
        library = dlopen(LIBXML_SONAME, RTLD_NOW | RTLD_LOCAL);
    void *found = library != NULL ? dlsym(library, name) : NULL;
    if (found == NULL && !is_tried)
        (void)fprintf(stderr, "ilcov: XML cannot be read: %s\n", dlerror());
    is_tried = true;
    return found;
}

/* POSIX: what dlsym returns is what a pointer to the function would be. */
#define FIND(real, name)                                                                           \
    if ((real) == NULL) {                                                                          \
        void *found = find_in_libxml(name);                                                        \
        memcpy(&(real), &found, sizeof found);                                                     \
    }

#define FUNCTION(type, name, parameters, arguments, otherwise)                                     \
    type name parameters                                                                           \
    {                                                                                              \
        static __typeof__(name) *real;                                                             \
        FIND(real, #name)                                                                          \
        return real != NULL ? real arguments : (otherwise);                                        \
    }
#define PROCEDURE(name, parameters, arguments)                                                     \
    void name parameters                                                                           \
    {                                                                                              \
        static __typeof__(name) *real;                                                             \
        FIND(real, #name)                                                                          \
        if (real != NULL)                                                                          \
            real arguments;                                                                        \
    }
#include "system/libxml_functions.def"

static void free_text(void *text)
{
    static xmlFreeFunc *real;
    FIND(real, "xmlFree")
    if (real != NULL)
        (*real)(text);
}

/* A variable of libxml2. */
xmlFreeFunc xmlFree = free_text;
