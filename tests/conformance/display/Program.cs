// Prints how C# writes each method of the DLLs, by Roslyn's own reader of metadata:
//
//     display FILE...     "<file> <token> <type>: <method>(<parameters>)" for each
//
// in the format of tests/support/display_names.c. Names that cannot be written in C# are left out.
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

var simple = new SymbolDisplayFormat(
    typeQualificationStyle: SymbolDisplayTypeQualificationStyle.NameAndContainingTypes,
    genericsOptions: SymbolDisplayGenericsOptions.IncludeTypeParameters,
    memberOptions: SymbolDisplayMemberOptions.IncludeParameters | SymbolDisplayMemberOptions.IncludeExplicitInterface,
    parameterOptions: SymbolDisplayParameterOptions.IncludeType | SymbolDisplayParameterOptions.IncludeParamsRefOut,
    miscellaneousOptions: SymbolDisplayMiscellaneousOptions.UseSpecialTypes);
var whole = new SymbolDisplayFormat(
    typeQualificationStyle: SymbolDisplayTypeQualificationStyle.NameAndContainingTypesAndNamespaces,
    genericsOptions: SymbolDisplayGenericsOptions.IncludeTypeParameters);

var runtime = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
var shared = Directory.GetFiles(runtime, "*.dll").Where(f => !Path.GetFileName(f).StartsWith("coreclr"));
var options = new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary)
    .WithMetadataImportOptions(MetadataImportOptions.All);
foreach (var file in args)
{
    var reference = MetadataReference.CreateFromFile(file);
    var others = shared.Where(f => Path.GetFileName(f) != Path.GetFileName(file)).Select(f => MetadataReference.CreateFromFile(f));
    var compilation = CSharpCompilation.Create("display", references: others.Prepend(reference), options: options);
    var assembly = (IAssemblySymbol)compilation.GetAssemblyOrModuleSymbol(reference)!;
    WriteNamespace(assembly.GlobalNamespace, Path.GetFileName(file));
}

void WriteNamespace(INamespaceSymbol space, string file)
{
    foreach (var member in space.GetMembers())
        if (member is INamespaceSymbol inner)
            WriteNamespace(inner, file);
        else if (member is INamedTypeSymbol type)
            WriteType(type, file);
}

void WriteType(INamedTypeSymbol type, string file)
{
    if (!SyntaxFacts.IsValidIdentifier(type.Name))
        return;
    foreach (var member in type.GetMembers())
        if (member is INamedTypeSymbol inner)
            WriteType(inner, file);
        else if (member is IMethodSymbol method && method.MetadataToken >> 24 == 6 && !method.Name.StartsWith('<'))
            WriteMethod(method, type.ToDisplayString(whole), file);
}

void WriteMethod(IMethodSymbol method, string type, string file)
{
    var parts = method.ToDisplayParts(simple);
    var text = "";
    for (int i = 0; i < parts.Length; i++)
    {
        var part = parts[i];
        if (part.Kind == SymbolDisplayPartKind.Space && i + 1 < parts.Length && parts[i + 1].Kind == SymbolDisplayPartKind.FieldName)
            i++; // of a tuple: we show its types
        else if (part.Kind == SymbolDisplayPartKind.ErrorTypeName)
            return;
        else
            text += part.Kind == SymbolDisplayPartKind.Keyword && part.ToString() == "dynamic" ? "object" : part.ToString();
    }
    if (method.Name.Contains('.') && method.ExplicitInterfaceImplementations is [var implemented, ..] && implemented.MethodKind != MethodKind.Ordinary)
        text = implemented.ContainingType.ToDisplayString(simple) + "." + implemented.ToDisplayString(simple);
    text = text.Replace("ref readonly ", "in ").Replace("params ", "").Replace("scoped ", "");
    if (method.MethodKind == MethodKind.StaticConstructor)
        text = "static " + text;
    Console.WriteLine($"{file} {method.MetadataToken:x8} {type}: {text}");
}
