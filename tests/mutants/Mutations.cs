// Mutations.cs - changes to a source that may change what the program does: each a piece of text that replaces another. What does not
// compile is tried and dropped.
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;
using static Microsoft.CodeAnalysis.CSharp.SyntaxKind;

namespace Mutants;

/// `Place`: the construct around it, for the table. `Shifted`: a method of no use stands at the top of the type as well, so that compilers
/// number its lambdas and state machines otherwise.
sealed record Mutation(string Kind, string Place, Project Project, SyntaxTree Tree, TextSpan Span, string Text, bool Shifted = false)
{
    const string Useless = " private static int AddedForMutant(int x) { System.Func<int, int> f = y => y + x; System.Func<int> g = () => 7; return f(1) + g(); } ";

    public Edit Edit()
    {
        var type = Tree.GetRoot().FindToken(Span.Start).Parent?.AncestorsAndSelf().OfType<TypeDeclarationSyntax>().LastOrDefault(t => t is not InterfaceDeclarationSyntax);
        var place = type?.OpenBraceToken.Span.End;
        TextChange[] changes = Shifted && place is { } at && at != Span.Start && at > 0 ? [new(new TextSpan(at, 0), Useless), new(Span, Text)] : [new(Span, Text)];
        return new Edit(Project, [(Tree, Solution.Parse(Project, Tree.FilePath, Tree.GetText().WithChanges(changes.OrderBy(c => c.Span.Start)).ToString()))]);
    }

    public override string ToString()
    {
        var line = Tree.GetLineSpan(Span).StartLinePosition.Line;
        return $"{Tree.FilePath}:{line + 1}: {OneLine(Tree.GetText().ToString(Span))} -> {OneLine(Text)}   in: {Tree.GetText().Lines[line].ToString().Trim()}{(Shifted ? "   (and a method is new)" : "")}";
    }

    static string OneLine(string text) => string.Join(' ', text.Split((char[])[' ', '\n', '\r', '\t'], StringSplitOptions.RemoveEmptyEntries));
}

static class Mutations
{
    static readonly Dictionary<SyntaxKind, string[]> Operators = new()
    {
        [AddExpression] = ["-"], [SubtractExpression] = ["+"], [MultiplyExpression] = ["+"], [DivideExpression] = ["*"], [ModuloExpression] = ["*"],
        [LessThanExpression] = ["<=", ">"], [LessThanOrEqualExpression] = ["<", ">="], [GreaterThanExpression] = [">=", "<"],
        [GreaterThanOrEqualExpression] = [">", "<="], [EqualsExpression] = ["!="], [NotEqualsExpression] = ["=="],
        [LogicalAndExpression] = ["||"], [LogicalOrExpression] = ["&&"], [BitwiseAndExpression] = ["|"], [BitwiseOrExpression] = ["&"],
        [ExclusiveOrExpression] = ["|"], [LeftShiftExpression] = [">>"], [RightShiftExpression] = ["<<"],
        [AddAssignmentExpression] = ["-="], [SubtractAssignmentExpression] = ["+="], [MultiplyAssignmentExpression] = ["+="],
        [PostIncrementExpression] = ["--"], [PostDecrementExpression] = ["++"], [PreIncrementExpression] = ["--"], [PreDecrementExpression] = ["++"],
    };

    public static IEnumerable<Mutation> All(Project project, bool isTest)
    {
        foreach (var tree in project.Sources)
        {
            var model = new Lazy<SemanticModel>(() => project.Compilation.GetSemanticModel(tree));
            yield return new Mutation("added module initialiser", isTest ? "test: file" : "file", project, tree, new TextSpan(tree.Length, 0),
                "\ninternal static class MutantModule { [System.Runtime.CompilerServices.ModuleInitializer] internal static void Boom() { throw new System.InvalidOperationException(\"mutant\"); } }\n");
            foreach (var node in tree.GetRoot().DescendantNodes())
                foreach (var (kind, span, text) in Of(node, model))
                    yield return new Mutation(kind, (isTest ? "test: " : "") + Place(node), project, tree, span, text);
        }
    }

    static string Place(SyntaxNode node)
    {
        foreach (var a in node.AncestorsAndSelf())
            switch (a)
            {
                case AttributeSyntax: return "attribute";
                case AnonymousFunctionExpressionSyntax f: return f.AsyncKeyword.IsKind(AsyncKeyword) ? "async lambda" : "lambda";
                case LocalFunctionStatementSyntax: return "local function";
                case QueryExpressionSyntax: return "query";
                case InterpolatedStringExpressionSyntax: return "interpolated string";
                case ParameterSyntax: return "parameter";
                case EnumMemberDeclarationSyntax: return "enum";
                case FieldDeclarationSyntax f: return f.Modifiers.Any(ConstKeyword) ? "const field" : f.Modifiers.Any(StaticKeyword) ? "static initialiser" : "field initialiser";
                case PropertyDeclarationSyntax { Initializer: not null }: return "property initialiser";
                case ConstructorDeclarationSyntax c: return c.Modifiers.Any(StaticKeyword) ? "static constructor" : "constructor";
                case OperatorDeclarationSyntax or ConversionOperatorDeclarationSyntax: return "operator";
                case BasePropertyDeclarationSyntax p: return p.Parent is RecordDeclarationSyntax ? "record" : "property";
                case MethodDeclarationSyntax m:
                    return m.Modifiers.Any(AsyncKeyword) ? "async method"
                        : m.DescendantNodes(n => n is not LocalFunctionStatementSyntax).OfType<YieldStatementSyntax>().Any() ? "iterator"
                        : m.ParameterList.Parameters.FirstOrDefault()?.Modifiers.Any(ThisKeyword) == true ? "extension method"
                        : m.TypeParameterList != null ? "generic method"
                        : m.Parent switch
                        {
                            RecordDeclarationSyntax => "record",
                            InterfaceDeclarationSyntax => "interface method",
                            TypeDeclarationSyntax { TypeParameterList: not null } => "generic type",
                            _ => m.Modifiers.Any(OverrideKeyword) ? "override" : m.Modifiers.Any(StaticKeyword) ? "static method" : "method",
                        };
                case BaseTypeDeclarationSyntax: return "type";
            }
        return "file";
    }

    static IEnumerable<(string Kind, TextSpan Span, string Text)> Of(SyntaxNode node, Lazy<SemanticModel> model)
    {
        switch (node)
        {
            case BinaryExpressionSyntax binary when Operators.TryGetValue(binary.Kind(), out var others):
                foreach (var other in others)
                    yield return (binary.Kind() is LogicalAndExpression or LogicalOrExpression ? "logical operator"
                        : binary.OperatorToken.Text[0] is '<' or '>' or '=' or '!' && binary.OperatorToken.Text is not ("<<" or ">>") ? "relational operator" : "arithmetic operator",
                        binary.OperatorToken.Span, other);
                break;
            case AssignmentExpressionSyntax assignment when Operators.TryGetValue(assignment.Kind(), out var others):
                yield return ("arithmetic operator", assignment.OperatorToken.Span, others[0]);
                break;
            case PostfixUnaryExpressionSyntax unary when Operators.TryGetValue(unary.Kind(), out var others):
                yield return ("increment", unary.OperatorToken.Span, others[0]);
                break;
            case PrefixUnaryExpressionSyntax unary when Operators.TryGetValue(unary.Kind(), out var others):
                yield return ("increment", unary.OperatorToken.Span, others[0]);
                break;
            case PrefixUnaryExpressionSyntax { RawKind: (int)LogicalNotExpression } not:
                yield return ("negated condition", not.OperatorToken.Span, "");
                break;
            case IfStatementSyntax s: yield return Negated(s.Condition); break;
            case WhileStatementSyntax s: yield return Negated(s.Condition); break;
            case ConditionalExpressionSyntax s: yield return Negated(s.Condition); break;
            case WhenClauseSyntax s: yield return Negated(s.Condition); break;
            case CatchFilterClauseSyntax s: yield return Negated(s.FilterExpression); break;
            case LiteralExpressionSyntax literal:
                foreach (var text in Literals(literal))
                    yield return (LiteralKind(literal), literal.Span, text);
                break;
            case InterpolatedStringTextSyntax text:
                yield return ("interpolated string", text.Span, text.TextToken.Text + "~");
                break;
            case InterpolationSyntax hole:
                yield return ("interpolated string", hole.Span, "");
                break;
            case EnumMemberDeclarationSyntax { EqualsValue: null } member:
                yield return ("enum value", member.Identifier.Span, member.Identifier.Text + " = 1017");
                break;
            case ExpressionStatementSyntax statement:
                yield return ("removed statement", statement.Span, ";");
                break;
            case ThrowStatementSyntax or YieldStatementSyntax or BreakStatementSyntax { Parent: BlockSyntax }:
                yield return ("removed statement", node.Span, ";");
                break;
            case ArgumentListSyntax { Arguments.Count: > 1 } list:
                for (int i = 0; i + 1 < list.Arguments.Count; i++)
                    yield return ("swapped arguments", TextSpan.FromBounds(list.Arguments[i].SpanStart, list.Arguments[i + 1].Span.End), $"{list.Arguments[i + 1]}, {list.Arguments[i]}");
                break;
            case ParameterListSyntax { Parameters.Count: > 1 } list:
                for (int i = 0; i + 1 < list.Parameters.Count; i++)
                    if (list.Parameters[i].Modifiers.Count == 0 && list.Parameters[i].Type?.ToString() == list.Parameters[i + 1].Type?.ToString())
                        yield return ("swapped parameters", TextSpan.FromBounds(list.Parameters[i].SpanStart, list.Parameters[i + 1].Span.End), $"{list.Parameters[i + 1]}, {list.Parameters[i]}");
                break;
            case PredefinedTypeSyntax { Keyword.RawKind: (int)IntKeyword, Parent: VariableDeclarationSyntax { Parent: FieldDeclarationSyntax } or PropertyDeclarationSyntax or MethodDeclarationSyntax or ParameterSyntax } number:
                yield return ("type of member", number.Span, "long");
                yield return ("type of member", number.Span, "short");
                break;
            case ReturnStatementSyntax { Expression: { } value }:
                yield return ("return default", value.Span, "default!");
                break;
            case ArrowExpressionClauseSyntax { Parent: not LocalFunctionStatementSyntax } arrow:
                yield return ("return default", arrow.Expression.Span, "default!");
                break;
            case AnonymousFunctionExpressionSyntax { ExpressionBody: { } body }:
                yield return ("lambda body", body.Span, "default!");
                break;
            case SwitchExpressionArmSyntax { Parent: SwitchExpressionSyntax whole } arm:
                var next = whole.Arms[(whole.Arms.IndexOf(arm) + 1) % whole.Arms.Count];
                yield return ("switch arm", arm.Expression.Span, next.Expression.ToString());
                break;
            case SwitchSectionSyntax { Parent: SwitchStatementSyntax whole } section when whole.Sections.Count > 1:
                yield return ("switch arm", TextSpan.FromBounds(section.Statements[0].SpanStart, section.Statements.Last().Span.End), whole.Sections[(whole.Sections.IndexOf(section) + 1) % whole.Sections.Count].Statements.ToString());
                break;
            case InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax { Expression: BaseExpressionSyntax } } call:
                yield return ("base call", call.Span, model.Value.GetTypeInfo(call).Type is { SpecialType: not SpecialType.System_Void } type ? $"default({Shown(type)})!" : "System.GC.KeepAlive(this)");
                break;
            case ConstructorInitializerSyntax initializer:
                yield return ("base call", initializer.FullSpan, "");
                break;
            case PrimaryConstructorBaseTypeSyntax { ArgumentList.Arguments: [var only] } primary:
                yield return ("base call", only.Span, "default!");
                break;
            case CatchDeclarationSyntax declaration:
                yield return ("catch type", declaration.Type.Span, "System.InsufficientMemoryException");
                break;
            case CastExpressionSyntax cast:
                yield return ("cast", TextSpan.FromBounds(cast.SpanStart, cast.Expression.SpanStart), "(sbyte)");
                break;
            case AwaitExpressionSyntax { Parent: ExpressionStatementSyntax } wait:
                yield return ("await", wait.AwaitKeyword.Span, "_ =");
                break;
            case InitializerExpressionSyntax { Expressions.Count: > 1 } list when list.Kind() is ArrayInitializerExpression or CollectionInitializerExpression or ObjectInitializerExpression:
                yield return ("removed element", TextSpan.FromBounds(list.Expressions[0].SpanStart, list.Expressions[1].SpanStart), "");
                break;
            case CollectionExpressionSyntax { Elements.Count: > 1 } list:
                yield return ("removed element", TextSpan.FromBounds(list.Elements[0].SpanStart, list.Elements[1].SpanStart), "");
                break;
            case AttributeListSyntax { Parent: not CompilationUnitSyntax } list:
                yield return ("removed attribute", list.Span, "");
                break;
            case IsPatternExpressionSyntax { Pattern: not UnaryPatternSyntax } pattern when !pattern.Pattern.DescendantNodesAndSelf().OfType<SingleVariableDesignationSyntax>().Any():
                yield return ("negated condition", pattern.Pattern.Span, $"not ({pattern.Pattern})");
                break;
        }
        if (node is MemberDeclarationSyntax)
            foreach (var change in OfMember(node, model))
                yield return change;
    }

    static IEnumerable<(string Kind, TextSpan Span, string Text)> OfMember(SyntaxNode node, Lazy<SemanticModel> model)
    {
        switch (node)
        {
            case MethodDeclarationSyntax method:
                bool overrides = method.Modifiers.Any(OverrideKeyword);
                yield return (overrides ? "removed override" : "removed member", method.Span, "");
                if (overrides)
                    yield return ("override made new", method.Modifiers.First(m => m.IsKind(OverrideKeyword)).Span, "new");
                if (method.ParameterList.Parameters.Any(p => p.Default != null))
                    yield return ("added overload", new TextSpan(method.SpanStart, 0), Overload(method));
                if (method.Modifiers.Any(VirtualKeyword))
                    yield return ("virtual removed", method.Modifiers.First(m => m.IsKind(VirtualKeyword)).FullSpan, "");
                break;
            case OperatorDeclarationSyntax or PropertyDeclarationSyntax { ExpressionBody: not null } or ConversionOperatorDeclarationSyntax or IndexerDeclarationSyntax:
                yield return ("removed member", node.Span, "");
                break;
            case ConstructorDeclarationSyntax constructor:
                yield return (constructor.Modifiers.Any(StaticKeyword) ? "removed static constructor" : "removed member", constructor.Span, "");
                break;
            case ClassDeclarationSyntax or StructDeclarationSyntax or RecordDeclarationSyntax or InterfaceDeclarationSyntax:
                var type = (TypeDeclarationSyntax)node;
                if (type.OpenBraceToken.IsKind(None) || type.OpenBraceToken.IsMissing)
                    break;
                var inside = new TextSpan(type.OpenBraceToken.Span.End, 0);
                if (node is not InterfaceDeclarationSyntax)
                    yield return ("added static constructor", inside, $" static {type.Identifier.Text}() {{ throw new System.InvalidOperationException(\"mutant\"); }}");
                if (node is not InterfaceDeclarationSyntax)
                    foreach (var text in Implementations(model.Value.GetDeclaredSymbol(type) as INamedTypeSymbol))
                        yield return ("added implementation", inside, " " + text);
                for (int i = 0; i + 1 < type.Members.Count; i++)
                    if (type.Members[i] is PropertyDeclarationSyntax or FieldDeclarationSyntax && type.Members[i + 1] is PropertyDeclarationSyntax or FieldDeclarationSyntax)
                        yield return ("swapped members", TextSpan.FromBounds(type.Members[i].SpanStart, type.Members[i + 1].Span.End), $"{type.Members[i + 1]} {type.Members[i]}");
                foreach (var text in Overrides(model.Value.GetDeclaredSymbol(type) as INamedTypeSymbol))
                    yield return ("added override", inside, " " + text);
                if (node is StructDeclarationSyntax structure)
                    yield return ("kind of type", structure.Keyword.Span, "class");
                if (node is RecordDeclarationSyntax record)
                    yield return ("kind of type", record.ClassOrStructKeyword.IsKind(None) ? record.Keyword.Span : TextSpan.FromBounds(record.Keyword.SpanStart, record.ClassOrStructKeyword.Span.End),
                        record.ClassOrStructKeyword.IsKind(StructKeyword) ? "record class" : "record struct");
                break;
        }
    }

    static (string, TextSpan, string) Negated(ExpressionSyntax condition) => ("negated condition", condition.Span, $"!({condition})");

    static string Shown(ITypeSymbol type) => type.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat);

    static string LiteralKind(LiteralExpressionSyntax literal) => Place(literal) switch
    {
        "attribute" => "attribute argument",
        "const field" => "const field",
        "enum" => "enum value",
        "parameter" => "default parameter",
        "property initialiser" => "property initialiser",
        "static initialiser" or "static constructor" => "static initialiser",
        _ => literal.IsKind(StringLiteralExpression) ? "string" : "constant",
    };

    static IEnumerable<string> Literals(LiteralExpressionSyntax literal)
    {
        switch (literal.Kind())
        {
            case NumericLiteralExpression:
                yield return $"({literal.Token.Text} + 1)";
                yield return $"({literal.Token.Text} - 1)";
                break;
            case StringLiteralExpression when literal.Token.IsKind(StringLiteralToken):
                yield return literal.Token.Text[..^1] + "!\"";
                break;
            case TrueLiteralExpression: yield return "false"; break;
            case FalseLiteralExpression: yield return "true"; break;
            case CharacterLiteralExpression: yield return "'\\u00b6'"; break;
        }
    }

    /// The same method without its optional parameters: calls that leave them out now mean this one.
    static string Overload(MethodDeclarationSyntax method)
    {
        var list = SyntaxFactory.SeparatedList(method.ParameterList.Parameters.Where(p => p.Default == null));
        var modifiers = string.Join(' ', method.Modifiers.Where(m => !m.IsKind(AsyncKeyword) && !m.IsKind(OverrideKeyword)).Select(m => m.Text));
        return $"{modifiers} {method.ReturnType} {method.Identifier}{method.TypeParameterList}({list}) {method.ConstraintClauses} {{ throw new System.InvalidOperationException(\"mutant\"); }} ";
    }

    static IEnumerable<string> Overrides(INamedTypeSymbol? type)
    {
        var seen = new HashSet<string>();
        for (var above = type?.BaseType; above != null; above = above.BaseType)
            foreach (var method in above.GetMembers().OfType<IMethodSymbol>())
                if ((method.IsVirtual || method.IsOverride) && method.MethodKind == MethodKind.Ordinary && method.Name != "Finalize" && seen.Add(method.Name + method.Parameters.Length) &&
                    !method.IsSealed && type!.GetMembers(method.Name).All(m => m.IsImplicitlyDeclared))
                    yield return $"{SyntaxFacts.GetText(method.DeclaredAccessibility)} override {(method.ReturnsVoid ? "void" : Shown(method.ReturnType))} {method.Name}{Generics(method)}(" +
                        string.Join(", ", method.Parameters.Select(p => $"{(p.RefKind == RefKind.None ? "" : p.RefKind.ToString().ToLowerInvariant() + " ")}{Shown(p.Type)} {p.Name}")) +
                        ") { throw new System.InvalidOperationException(\"mutant\"); }";
    }

    /// Of members that so far only interfaces implement.
    static IEnumerable<string> Implementations(INamedTypeSymbol? type) =>
        from method in type?.AllInterfaces.SelectMany(i => i.GetMembers().OfType<IMethodSymbol>()) ?? []
        where !method.IsAbstract && !method.IsStatic && method.MethodKind == MethodKind.Ordinary && SymbolEqualityComparer.Default.Equals(type!.FindImplementationForInterfaceMember(method), method)
        select $"public {(method.ReturnsVoid ? "void" : Shown(method.ReturnType))} {method.Name}{Generics(method)}({string.Join(", ", method.Parameters.Select(p => $"{Shown(p.Type)} {p.Name}"))}) {{ throw new System.InvalidOperationException(\"mutant\"); }}";

    static string Generics(IMethodSymbol method) => method.TypeParameters.Length == 0 ? "" : $"<{string.Join(", ", method.TypeParameters.Select(p => p.Name))}>";
}
