using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Emit;
using Microsoft.CodeAnalysis.Text;

// compiler OUTPUT.dll debug|release REFERENCES SOURCE...: C# 15, which no compiler of an SDK at hand knows.
const string Usings = "global using System; global using System.IO; global using System.Linq; global using System.Threading.Tasks; " +
                      "global using System.Collections.Generic; global using System.Threading;";
var parsing = new CSharpParseOptions(LanguageVersion.Preview).WithFeatures([KeyValuePair.Create("runtime-async", "on")]);
var level = args[1] == "debug" ? OptimizationLevel.Debug : OptimizationLevel.Release;
var trees = args[3..].Select(file => CSharpSyntaxTree.ParseText(
    SourceText.From(File.ReadAllText(file), Encoding.UTF8, SourceHashAlgorithm.Sha256), parsing, Path.GetFullPath(file)));
var compilation = CSharpCompilation.Create(Path.GetFileNameWithoutExtension(args[0]),
    trees.Append(CSharpSyntaxTree.ParseText(Usings, parsing, "Usings.cs", Encoding.UTF8)),
    Directory.GetFiles(args[2], "*.dll").Select(file => MetadataReference.CreateFromFile(file)),
    new CSharpCompilationOptions(OutputKind.ConsoleApplication, optimizationLevel: level, nullableContextOptions: NullableContextOptions.Enable));
using var dll = File.Create(args[0]);
using var pdb = File.Create(Path.ChangeExtension(args[0], ".pdb"));
var result = compilation.Emit(dll, pdb, options: new EmitOptions(debugInformationFormat: DebugInformationFormat.PortablePdb,
    pdbFilePath: Path.ChangeExtension(args[0], ".pdb")));
foreach (var wrong in result.Diagnostics.Where(d => d.Severity == DiagnosticSeverity.Error))
    Console.Error.WriteLine(wrong);
return result.Success ? 0 : 1;
