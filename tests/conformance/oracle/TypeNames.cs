using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using System.Reflection.Metadata;

/// The names that generic parameters have where a signature stands; null where they have none.
sealed record GenericNames(string[]? OfType, string[]? OfMethod);

/// Spells types as metadata/names.h does.
sealed class TypeNames : ISignatureTypeProvider<string, GenericNames>
{
    public static readonly GenericNames None = new(null, null);

    readonly MetadataReader reader;
    readonly Dictionary<EntityHandle, string> known = new();

    public TypeNames(MetadataReader reader) => this.reader = reader;

    public string Of(EntityHandle handle)
    {
        if (known.TryGetValue(handle, out string? name))
            return name;
        name = handle.Kind switch
        {
            HandleKind.TypeDefinition => OfDefinition((TypeDefinitionHandle)handle),
            HandleKind.TypeReference => OfReference((TypeReferenceHandle)handle),
            _ => reader.GetTypeSpecification((TypeSpecificationHandle)handle).DecodeSignature(this, None),
        };
        known[handle] = name;
        return name;
    }

    string OfDefinition(TypeDefinitionHandle handle)
    {
        TypeDefinition type = reader.GetTypeDefinition(handle);
        TypeDefinitionHandle around = type.GetDeclaringType();
        return (around.IsNil ? "" : Of(around) + "/") + Qualified(type.Namespace, type.Name);
    }

    string OfReference(TypeReferenceHandle handle)
    {
        TypeReference type = reader.GetTypeReference(handle);
        bool nested = type.ResolutionScope.Kind == HandleKind.TypeReference && !type.ResolutionScope.IsNil;
        return (nested ? Of(type.ResolutionScope) + "/" : "") + Qualified(type.Namespace, type.Name);
    }

    string Qualified(StringHandle space, StringHandle name) =>
        space.IsNil ? reader.GetString(name) : reader.GetString(space) + "." + reader.GetString(name);

    /// The parameters, each with the sentinel of a vararg call before the first extra one.
    public static IEnumerable<string> Parameters(MethodSignature<string> signature) =>
        signature.ParameterTypes.Select((type, i) =>
            signature.Header.CallingConvention == SignatureCallingConvention.VarArgs &&
            i == signature.RequiredParameterCount ? "...," + type : type);

    public string GetPrimitiveType(PrimitiveTypeCode code) => "System." + code;

    public string GetTypeFromDefinition(MetadataReader _, TypeDefinitionHandle handle, byte kind) => Of(handle);

    public string GetTypeFromReference(MetadataReader _, TypeReferenceHandle handle, byte kind) => Of(handle);

    public string GetTypeFromSpecification(MetadataReader _, GenericNames names, TypeSpecificationHandle handle,
                                           byte kind) => Of(handle);

    public string GetSZArrayType(string element) => element + "[]";

    public string GetArrayType(string element, ArrayShape shape) =>
        element + (shape.Rank == 1 ? "[*]" : "[" + new string(',', shape.Rank - 1) + "]");

    public string GetByReferenceType(string element) => element + "&";

    public string GetPointerType(string element) => element + "*";

    public string GetPinnedType(string element) => element;

    public string GetModifiedType(string modifier, string unmodified, bool required) => unmodified;

    public string GetGenericInstantiation(string type, ImmutableArray<string> arguments) =>
        type + "<" + string.Join(",", arguments) + ">";

    public string GetGenericTypeParameter(GenericNames names, int index) => NameOf(names.OfType, index, "!");

    public string GetGenericMethodParameter(GenericNames names, int index) => NameOf(names.OfMethod, index, "!!");

    public string GetFunctionPointerType(MethodSignature<string> signature) =>
        "method " + Convention(signature.Header.CallingConvention) + signature.ReturnType + " *(" + string.Join(",", Parameters(signature)) + ")";

    // II.23.2.3: how code is called that is not managed.
    static string Convention(SignatureCallingConvention convention) => convention switch
    {
        SignatureCallingConvention.CDecl => "unmanaged cdecl ",
        SignatureCallingConvention.StdCall => "unmanaged stdcall ",
        SignatureCallingConvention.ThisCall => "unmanaged thiscall ",
        SignatureCallingConvention.FastCall => "unmanaged fastcall ",
        SignatureCallingConvention.Unmanaged => "unmanaged ",
        _ => "",
    };

    static string NameOf(string[]? names, int index, string mark) =>
        names != null && index < names.Length ? names[index] : mark + index;
}
