// Neutral.cs - changes to sources that change nothing of what the program does: code moves, locals get other names, text is formatted and
// commented otherwise. Each must select no test.
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Mutants;

sealed record NeutralChange(string Kind, string Where, Edit Edit);

sealed class Neutral(Random random)
{
    public static readonly string[] Kinds =
    [
        "moved method", "moved type to a file", "moved method to a part", "reordered methods", "reordered files", "renamed locals",
        "formatted", "comments and lines", "reordered usings", "renamed file", "redundant syntax",
    ];

    /// Null: there was nothing of the kind where it looked.
    public NeutralChange? Make(string kind, Project project)
    {
        var tree = project.Sources[random.Next(project.Sources.Length)];
        if (kind == "reordered files")
            return PartsWithInitialisers(project) ? null : new NeutralChange(kind, project.Name, new Edit(project, [], Reversed: true));
        return kind switch
        {
            "moved method" => MovedMethod(project, tree),
            "moved type to a file" => MovedType(project, tree),
            "moved method to a part" => Part(project, tree),
            "reordered methods" => ReorderedMethods(project, tree),
            "renamed locals" => Renamed(kind, project, tree),
            "formatted" => Knows(tree, "Caller") || UsesCaller(project, tree) ? null : Changed(kind, project, tree, tree.GetRoot().NormalizeWhitespace(indentation: "\t", eol: "\r\n").ToFullString()),
            "comments and lines" => Comments(project, tree),
            "reordered usings" => Usings(project, tree),
            "renamed file" => Knows(tree, "CallerFilePath") ? null : new NeutralChange(kind, tree.FilePath, new Edit(project, [(tree, Solution.Parse(project, Path.ChangeExtension(tree.FilePath, ".Renamed.cs"), tree.GetText().ToString()))])),
            "redundant syntax" => Redundant(project, tree),
            _ => throw new ArgumentException(kind),
        };
    }

    static bool Knows(SyntaxTree tree, string word) => tree.GetText().ToString().Contains(word);

    NeutralChange? Changed(string kind, Project project, SyntaxTree tree, string text, string where = "", params (SyntaxTree?, SyntaxTree?)[] more) =>
        text == tree.GetText().ToString() ? null : new NeutralChange(kind, $"{tree.FilePath} {where}", new Edit(project, [(tree, Solution.Parse(project, tree.FilePath, text)), .. more]));

    T? One<T>(IEnumerable<T> of) where T : class
    {
        var all = of.ToList();
        return all.Count == 0 ? null : all[random.Next(all.Count)];
    }

    static string Without(SyntaxNode node) => node.SyntaxTree.GetText().WithChanges(new TextChange(node.FullSpan, "")).ToString();

    // Initialisers of fields stay in their order: only methods move.
    static IEnumerable<MethodDeclarationSyntax> Methods(TypeDeclarationSyntax type) => type.Members.OfType<MethodDeclarationSyntax>().Where(m => !m.ContainsDirectives);

    static IEnumerable<TypeDeclarationSyntax> Types(SyntaxTree tree) => tree.GetRoot().DescendantNodes().OfType<TypeDeclarationSyntax>().Where(t => t is not InterfaceDeclarationSyntax);

    NeutralChange? MovedMethod(Project project, SyntaxTree tree)
    {
        if (One(Types(tree).Where(t => t.Members.Count > 1).SelectMany(Methods)) is not { } method)
            return null;
        var type = (TypeDeclarationSyntax)method.Parent!;
        var place = random.Next(2) == 0 ? type.Members[0].FullSpan.Start : type.CloseBraceToken.FullSpan.Start;
        var text = tree.GetText().WithChanges(((TextChange[])[new(method.FullSpan, ""), new(new TextSpan(place == method.FullSpan.Start ? type.CloseBraceToken.FullSpan.Start : place, 0), method.ToFullString())]).OrderBy(c => c.Span.Start));
        return Changed("moved method", project, tree, text.ToString(), method.Identifier.Text);
    }

    NeutralChange? MovedType(Project project, SyntaxTree tree)
    {
        var root = (CompilationUnitSyntax)tree.GetRoot();
        if (root.ContainsDirectives || One(root.DescendantNodes().OfType<BaseTypeDeclarationSyntax>().Where(t => t.Parent is BaseNamespaceDeclarationSyntax or CompilationUnitSyntax && !t.Modifiers.Any(SyntaxKind.FileKeyword))) is not { } type)
            return null;
        return Changed("moved type to a file", project, tree, Without(type), type.Identifier.Text, (null, Solution.Parse(project, Path.ChangeExtension(tree.FilePath, ".Moved.cs"), Head(type) + type.ToFullString())));
    }

    /// The usings and the namespace that hold for a type at the top of a file.
    static string Head(BaseTypeDeclarationSyntax type)
    {
        var head = new StringBuilder();
        foreach (var u in ((CompilationUnitSyntax)type.SyntaxTree.GetRoot()).Usings.Where(u => u.GlobalKeyword.IsKind(SyntaxKind.None)))
            head.AppendLine(u.ToString());
        var spaces = type.Ancestors().OfType<BaseNamespaceDeclarationSyntax>().Reverse().ToList();
        if (spaces.Count > 0)
            head.AppendLine($"namespace {string.Join('.', spaces.Select(s => s.Name))};");
        foreach (var u in spaces.SelectMany(s => s.Usings))
            head.AppendLine(u.ToString());
        return head.ToString();
    }

    NeutralChange? Part(Project project, SyntaxTree tree)
    {
        var types = Types(tree).OfType<ClassDeclarationSyntax>().Where(t => t.Parent is BaseNamespaceDeclarationSyntax && t.Modifiers.Any() && Methods(t).Any() && !t.SyntaxTree.GetRoot().ContainsDirectives);
        if (One(types) is not { } type || One(Methods(type)) is not { } method)
            return null;
        var rest = tree.GetText().WithChanges(((TextChange[])[new(method.FullSpan, ""), .. type.Modifiers.Any(SyntaxKind.PartialKeyword) ? (TextChange[])[] : [new(new TextSpan(type.Keyword.SpanStart, 0), "partial ")]]).OrderBy(c => c.Span.Start)).ToString();
        var modifiers = string.Join(' ', type.Modifiers.Where(m => !m.IsKind(SyntaxKind.PartialKeyword)));
        var part = $"{Head(type)}{modifiers} partial class {type.Identifier.Text}{type.TypeParameterList} {{\n{method.ToFullString()}}}\n";
        return Changed("moved method to a part", project, tree, rest, method.Identifier.Text, (null, Solution.Parse(project, Path.ChangeExtension(tree.FilePath, ".Part.cs"), part)));
    }

    NeutralChange? ReorderedMethods(Project project, SyntaxTree tree)
    {
        if (One(Types(tree).Where(t => Methods(t).Count() > 1)) is not { } type)
            return null;
        var methods = Methods(type).ToArray();
        var others = methods.ToArray();
        random.Shuffle(others);
        return Changed("reordered methods", project, tree, tree.GetText().WithChanges(methods.Zip(others, (a, b) => new TextChange(a.FullSpan, b.ToFullString()))).ToString(), type.Identifier.Text);
    }

    static bool PartsWithInitialisers(Project project) => project.Sources.SelectMany(Types).Any(t => t.Modifiers.Any(SyntaxKind.PartialKeyword) && t.Members.OfType<FieldDeclarationSyntax>().Any());

    /// Is the text of an argument a value (CallerArgumentExpression), or its line (CallerLineNumber)?
    static bool IsCaller(IMethodSymbol? method) => method != null && method.Parameters.Any(p => p.GetAttributes().Any(a => a.AttributeClass?.Name.StartsWith("Caller", StringComparison.Ordinal) == true));

    static bool UsesCaller(Project project, SyntaxTree tree)
    {
        var model = project.Compilation.GetSemanticModel(tree);
        return tree.GetRoot().DescendantNodes().Any(n => n is InvocationExpressionSyntax or BaseObjectCreationExpressionSyntax && IsCaller(model.GetSymbolInfo(n).Symbol as IMethodSymbol));
    }

    NeutralChange? Renamed(string kind, Project project, SyntaxTree tree)
    {
        var model = project.Compilation.GetSemanticModel(tree);
        if (One(tree.GetRoot().DescendantNodes().Where(n => n is BaseMethodDeclarationSyntax or BasePropertyDeclarationSyntax)) is not { } member)
            return null;
        var nodes = member.DescendantNodes().ToList();
        var declared = nodes.Select(n => (Node: n, Symbol: model.GetDeclaredSymbol(n))).Where(d => d.Symbol != null && d.Node is not (SingleVariableDesignationSyntax { Parent: null })).Where(d => d.Symbol is ILocalSymbol).Select(d => d.Symbol!).Distinct<ISymbol>(SymbolEqualityComparer.Default).Where(s => s.Name != "_").ToList();
        var uses = nodes.OfType<IdentifierNameSyntax>().Select(n => (Node: n, model.GetSymbolInfo(n).Symbol)).Where(u => u.Symbol != null).ToLookup(u => u.Symbol!, u => u.Node, SymbolEqualityComparer.Default);
        var changes = new List<TextChange>();
        foreach (var symbol in declared.Where(s => uses[s].All(n => !NameIsValue(model, n))))
        {
            var name = symbol.Name + "Renamed";
            var place = symbol.DeclaringSyntaxReferences[0].GetSyntax().DescendantTokens().First(t => t.IsKind(SyntaxKind.IdentifierToken) && t.ValueText == symbol.Name && (symbol.Locations[0].SourceSpan == t.Span));
            changes.Add(new TextChange(place.Span, name));
            changes.AddRange(uses[symbol].Select(n => new TextChange(n.Identifier.Span, name)));
        }
        return changes.Count == 0 ? null : Changed(kind, project, tree, tree.GetText().WithChanges(changes.DistinctBy(c => c.Span.Start).OrderBy(c => c.Span.Start)).ToString(), string.Join(' ', declared.Select(d => d.Name)));
    }

    static bool InExpressionTree(SemanticModel model, SyntaxNode node) => node.AncestorsAndSelf().OfType<AnonymousFunctionExpressionSyntax>().Any(f => model.GetTypeInfo(f).ConvertedType is { Name: "Expression" }) ||
        node.Ancestors().OfType<QueryExpressionSyntax>().Any();

    /// Does a use of a local make its name a value, or that of a member?
    static bool NameIsValue(SemanticModel model, SyntaxNode use) => use.Parent is AnonymousObjectMemberDeclaratorSyntax or ArgumentSyntax { Parent: TupleExpressionSyntax } ||
        use.Ancestors().OfType<InvocationExpressionSyntax>().Any(i => i.Expression is IdentifierNameSyntax { Identifier.Text: "nameof" } || IsCaller(model.GetSymbolInfo(i).Symbol as IMethodSymbol)) ||
        InExpressionTree(model, use);

    NeutralChange? Comments(Project project, SyntaxTree tree)
    {
        if (Knows(tree, "CallerLineNumber"))
            return null;
        var places = tree.GetRoot().DescendantNodes().Where(n => n is StatementSyntax or MemberDeclarationSyntax && !n.Ancestors().OfType<InterpolationSyntax>().Any() && n.Parent is BlockSyntax or TypeDeclarationSyntax)
            .Where(n => !n.Ancestors().OfType<ArgumentSyntax>().Any()).Select(n => n.SpanStart).Distinct().Where(_ => random.Next(3) == 0);
        return Changed("comments and lines", project, tree, tree.GetText().WithChanges(places.Order().Select(p => new TextChange(new TextSpan(p, 0), "// comment\n\n/* another */ "))).ToString());
    }

    NeutralChange? Usings(Project project, SyntaxTree tree)
    {
        var usings = ((CompilationUnitSyntax)tree.GetRoot()).Usings;
        if (usings.Count < 2 || tree.GetRoot().ContainsDirectives)
            return null;
        return Changed("reordered usings", project, tree, tree.GetText().WithChanges(usings.Zip(usings.Reverse(), (a, b) => new TextChange(a.Span, b.ToString()))).ToString());
    }

    NeutralChange? Redundant(Project project, SyntaxTree tree)
    {
        var model = project.Compilation.GetSemanticModel(tree);
        var changes = new List<TextChange>();
        foreach (var node in tree.GetRoot().DescendantNodes())
            switch (node)
            {
                case ReturnStatementSyntax { Expression: { } value } when random.Next(2) == 0 && !value.DescendantNodes().Any(n => n is AnonymousFunctionExpressionSyntax or SwitchExpressionSyntax) && value is not (RefExpressionSyntax or CollectionExpressionSyntax):
                    changes.Add(new TextChange(value.Span, $"({value})"));
                    break;
                case VariableDeclarationSyntax { Type: IdentifierNameSyntax { IsVar: true } var } when model.GetTypeInfo(var).Type is { IsAnonymousType: false, IsTupleType: false } type && !type.ToDisplayString().Contains("<anonymous"):
                    changes.Add(new TextChange(var.Span, type.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat)));
                    break;
            }
        return changes.Count == 0 ? null : Changed("redundant syntax", project, tree, tree.GetText().WithChanges(changes.Where(c => !changes.Any(o => o != c && o.Span.Contains(c.Span))).OrderBy(c => c.Span.Start)).ToString());
    }
}
