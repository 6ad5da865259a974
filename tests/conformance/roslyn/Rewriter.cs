// Rewriter.cs - a source file with calls that count: in front of each statement, behind each operand, in each arm. What runs is
// otherwise the same, and so is what the compiler knows of variables: a condition C becomes C && (S(n) || true) || S(m) && false.
// What is counted, and where it stands, follows docs/definitions.md.
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;
using static Microsoft.CodeAnalysis.CSharp.SyntaxFactory;

namespace Roslyn;

sealed class Rewriter(SemanticModel model, int index, Dictionary<string, string> failed, HashSet<(SyntaxTree, int)> unreachable, int counters) : CSharpSyntaxRewriter
{
    public const string Site = "site";

    public int Counters { get; private set; } = counters;
    public Positions Positions { get; } = new();

    readonly string _counts = $"global::__Counts{index}.Counts";
    readonly List<(Statement Statement, TextSpan Span)> _statements = [];
    readonly List<TextSpan> _lambdas = [];
    Stack<string?> _breaks = new(); // of the foreach that a `break` leaves; null: of something else
    Stack<int?> _continues = new();
    int _names;

    // --- what is counted ----------------------------------------------------------------------------------------------------

    Place At(TextSpan span) => Place.Of(model.SyntaxTree, span);

    static TextSpan From(SyntaxToken first, SyntaxToken last) => TextSpan.FromBounds(first.SpanStart, last.Span.End);

    int Next(int count = 1) => (Counters += count) - count;

    void Leave(SyntaxNode node, string why) => Positions.Left.Add(new(At(node.Span), why));

    /// Adds a statement that runs as often as these counters say together, or a counter of its own.
    Statement Statement(TextSpan span, string kind, params int[] ids)
    {
        var statement = new Statement(At(span), kind, ids);
        Positions.Statements.Add(statement);
        _statements.Add((statement, span));
        return statement;
    }

    int Statement(TextSpan span, string kind)
    {
        int id = Next();
        Statement(span, kind, id);
        return id;
    }

    /// The lines between the first and the last of a statement belong to the innermost one that has text there.
    public void ShareLines()
    {
        var statements = new Open<Statement>(_statements);
        var lambdas = new Open<bool>(_lambdas.Select(l => (true, l)));
        foreach (var token in model.SyntaxTree.GetRoot().DescendantTokens().Where(t => t.Span.Length > 0))
        {
            var lambda = lambdas.Around(token.Span)?.Span;
            if (statements.Around(token.Span) is not var (statement, span) || (lambda is { } l && span != l && span.Contains(l)))
                continue;
            var place = At(token.Span);
            for (int line = place.Line; line <= place.EndLine; line++)
                if (line > statement.Place.Line && line < statement.Place.EndLine && (statement.Lines.Count == 0 || statement.Lines[^1] < line))
                    statement.Lines.Add(line);
        }
    }

    /// Spans that are open where we are, from the first token to the last.
    sealed class Open<T>(IEnumerable<(T Of, TextSpan Span)> all)
    {
        readonly List<(T Of, TextSpan Span)> _all = all.OrderBy(a => a.Span.Start).ThenByDescending(a => a.Span.Length).ToList();
        readonly Stack<(T Of, TextSpan Span)> _open = new();
        int _next;

        /// The innermost one around a token.
        public (T Of, TextSpan Span)? Around(TextSpan token)
        {
            for (; _next < _all.Count && _all[_next].Span.Start <= token.Start; _next++)
                _open.Push(_all[_next]);
            while (_open.Count > 0 && _open.Peek().Span.End < token.End)
                _open.Pop();
            return _open.Count > 0 ? _open.Peek() : null;
        }
    }

    /// May this be rewritten? If not, it is left, with the compiler's reason.
    bool Tries(SyntaxNode node, string kind, out string site)
    {
        site = $"{model.SyntaxTree.FilePath}:{node.SpanStart}:{node.Span.Length}:{kind}";
        if (failed.TryGetValue(site, out var why))
            Leave(node, $"{kind}: {why}");
        return why == null;
    }

    static T Marked<T>(T node, string site) where T : SyntaxNode => node.WithAdditionalAnnotations(new SyntaxAnnotation(Site, site));

    ExpressionSyntax Call(string method, int id) => ParseExpression($"{_counts}.{method}({id})");

    StatementSyntax Counts(int id) => ExpressionStatement(Call("S", id));

    ExpressionSyntax And(ExpressionSyntax a, ExpressionSyntax b) =>
        ParenthesizedExpression(BinaryExpression(SyntaxKind.LogicalAndExpression, ParenthesizedExpression(a), ParenthesizedExpression(b)));

    ExpressionSyntax Or(ExpressionSyntax a, ExpressionSyntax b) =>
        ParenthesizedExpression(BinaryExpression(SyntaxKind.LogicalOrExpression, ParenthesizedExpression(a), ParenthesizedExpression(b)));

    static ExpressionSyntax True => LiteralExpression(SyntaxKind.TrueLiteralExpression);
    static ExpressionSyntax False => LiteralExpression(SyntaxKind.FalseLiteralExpression);

    /// Counts, then evaluates the condition.
    ExpressionSyntax Before(int id, ExpressionSyntax condition) => And(Or(Call("S", id), True), condition);

    /// Counts, then evaluates. `type` null: as the compiler infers it.
    ExpressionSyntax Begun(string call, ExpressionSyntax value, ITypeSymbol? type) =>
        InvocationExpression(ParseExpression($"{_counts}.V{(type == null ? "" : $"<{type.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat)}>")}"),
            ArgumentList(SeparatedList(new[] { Argument(ParseExpression(call)), Argument(value) })));

    bool IsConstant(ExpressionSyntax e) => model.GetConstantValue(e).HasValue;

    static ExpressionSyntax Bare(ExpressionSyntax e) => e is ParenthesizedExpressionSyntax p ? Bare(p.Expression) : e;

    static bool IsBool(ITypeSymbol? type) => type?.SpecialType == SpecialType.System_Boolean;

    bool IsBool(ExpressionSyntax e) => model.GetTypeInfo(e) is var i && IsBool(i.Type) && IsBool(i.ConvertedType);

    ExpressionSyntax Visited(ExpressionSyntax e) => (ExpressionSyntax)Visit(e)!;

    // --- conditions ---------------------------------------------------------------------------------------------------------

    ExpressionSyntax Asked(SyntaxNode node, string kind, ExpressionSyntax rewritten, string tag = "", string no = "false", string yes = "true")
    {
        if (!Tries(node, kind, out var site))
            return rewritten;
        int id = Next(2);
        Positions.Conditions.Add(new(At(node.Span), kind, id, [no, yes], node.ToString(), tag));
        return Marked(Or(And(rewritten, Or(Call("S", id + 1), True)), And(Call("S", id), False)), site);
    }

    bool IsVariable(ExpressionSyntax e) => model.GetSymbolInfo(Bare(e)).Symbol is ILocalSymbol or IParameterSymbol;

    /// A condition with its operands. `isTested`: its value decides where control goes, so that it counts also if it is one operand.
    ExpressionSyntax Condition(ExpressionSyntax e, bool isTested, string tag = "")
    {
        if (IsConstant(e))
            return e;
        switch (e)
        {
            case ParenthesizedExpressionSyntax p:
                return p.WithExpression(Condition(p.Expression, isTested, tag));
            case PrefixUnaryExpressionSyntax not when not.IsKind(SyntaxKind.LogicalNotExpression) && IsBool(not.Operand):
                if (isTested && not.Operand is not ParenthesizedExpressionSyntax && !HasParts(not.Operand) && !IsConstant(not.Operand))
                    return Asked(not, "condition", not.WithOperand(ParenthesizedExpression(Within(not.Operand))), tag);
                return not.WithOperand(ParenthesizedExpression(Condition(not.Operand, isTested, tag)));
            case BinaryExpressionSyntax b when b.Kind() is SyntaxKind.LogicalAndExpression or SyntaxKind.LogicalOrExpression:
                if (!IsBool(b.Left) || !IsBool(b.Right))
                    break;
                bool isVariable = IsVariable(b.Right) || Bare(b.Right) is AssignmentExpressionSyntax;
                return b.WithLeft(Condition(b.Left, true, isVariable && IsConstant(b.Left) == false ? "variable" : tag))
                    .WithRight(Condition(b.Right, true, isVariable ? "variable" : tag));
            case IsPatternExpressionSyntax p when IsCompound(p.Pattern):
                return Pattern(p);
            case IsPatternExpressionSyntax { Pattern: VarPatternSyntax or DiscardPatternSyntax } p: // always
                return p.WithExpression(Visited(p.Expression));
            case ConditionalExpressionSyntax c when isTested: // asks for what it chooses
                return c.Update(Condition(c.Condition, true), c.QuestionToken, Condition(c.WhenTrue, true, tag), c.ColonToken, Condition(c.WhenFalse, true, tag));
        }
        if (!isTested)
            return Visited(e);
        if (!IsBool(e))
        {
            Leave(e, "a condition that is no bool");
            return Visited(e);
        }
        return Asked(e, "condition", Within(e), tag);
    }

    /// One that is counted as a whole.
    ExpressionSyntax Within(ExpressionSyntax e) => e is IsPatternExpressionSyntax p ? p.WithExpression(Visited(p.Expression)) : Visited(e);

    /// Is it decided by conditions in it?
    static bool HasParts(ExpressionSyntax e) => e is ConditionalExpressionSyntax or PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.LogicalNotExpression }
        || e.Kind() is SyntaxKind.LogicalAndExpression or SyntaxKind.LogicalOrExpression || (e is IsPatternExpressionSyntax p && IsCompound(p.Pattern));

    public override SyntaxNode? VisitBinaryExpression(BinaryExpressionSyntax node)
    {
        if (IsConstant(node))
            return node;
        if (node.Kind() is SyntaxKind.LogicalAndExpression or SyntaxKind.LogicalOrExpression)
        {
            if (IsBool(node.Left) && IsBool(node.Right))
                return Condition(node, false);
            Leave(node, "operator of a type");
        }
        if (node.IsKind(SyntaxKind.CoalesceExpression))
            return Coalesce(node);
        if (node.Left is TupleExpressionSyntax && node.Kind() is SyntaxKind.EqualsExpression or SyntaxKind.NotEqualsExpression)
            Leave(node, "comparison of tuples");
        return base.VisitBinaryExpression(node);
    }

    public override SyntaxNode? VisitConditionalExpression(ConditionalExpressionSyntax node) =>
        node.Update(Condition(node.Condition, true), node.QuestionToken, Visited(node.WhenTrue), node.ColonToken, Visited(node.WhenFalse));

    /// Whether it is null, behind it.
    ExpressionSyntax AskedNull(ExpressionSyntax of, SyntaxNode node, string kind, string tag)
    {
        var rewritten = Visited(of);
        if (IsConstant(of) || !Tries(node, kind, out var site))
            return rewritten;
        if (model.GetTypeInfo(of).Type is null or IDynamicTypeSymbol or IPointerTypeSymbol)
        {
            Leave(node, $"{kind} of no type, or dynamic");
            return rewritten;
        }
        int id = Next(2);
        Positions.Conditions.Add(new(At(of.Span), kind, id, ["value", "null"], of.ToString(), tag));
        return Marked(InvocationExpression(MemberAccessExpression(SyntaxKind.SimpleMemberAccessExpression, of is MemberBindingExpressionSyntax or ElementBindingExpressionSyntax
            || IsBinding(of) ? rewritten : ParenthesizedExpression(rewritten), IdentifierName($"Null{index}")),
            ArgumentList(SingletonSeparatedList(Argument(LiteralExpression(SyntaxKind.NumericLiteralExpression, Literal(id)))))), site);
    }

    /// Does it begin with the dot behind a `?`?
    static bool IsBinding(ExpressionSyntax e) => e switch
    {
        MemberBindingExpressionSyntax or ElementBindingExpressionSyntax => true,
        MemberAccessExpressionSyntax m => IsBinding(m.Expression),
        InvocationExpressionSyntax i => IsBinding(i.Expression),
        ElementAccessExpressionSyntax a => IsBinding(a.Expression),
        PostfixUnaryExpressionSyntax p => IsBinding(p.Operand),
        ConditionalAccessExpressionSyntax c => IsBinding(c.Expression),
        _ => false,
    };

    /// Whether it is null is asked once, then.
    static bool IsLeftOfCoalesce(ExpressionSyntax e) =>
        e.Parent is BinaryExpressionSyntax { RawKind: (int)SyntaxKind.CoalesceExpression } b ? b.Left == e
        : e.Parent is ParenthesizedExpressionSyntax or ConditionalAccessExpressionSyntax && IsLeftOfCoalesce((ExpressionSyntax)e.Parent);

    /// In `(s ?? "") + t` no branch is emitted for it.
    static bool IsPartOfText(SyntaxNode e) => e.Parent is InterpolationSyntax
        || e.Parent!.Kind() is SyntaxKind.AddExpression or SyntaxKind.AddAssignmentExpression || (e.Parent is ParenthesizedExpressionSyntax p && IsPartOfText(p));

    /// A constant, or what is read without effect: `x ?? y` is then GetValueOrDefault(y).
    bool IsKnown(ExpressionSyntax e) => IsConstant(e) || e.IsKind(SyntaxKind.DefaultLiteralExpression) || e is DefaultExpressionSyntax or ObjectCreationExpressionSyntax { ArgumentList.Arguments.Count: 0 }
        || model.GetSymbolInfo(e).Symbol is ILocalSymbol { RefKind: RefKind.None } or IParameterSymbol { RefKind: RefKind.None };

    SyntaxNode Coalesce(BinaryExpressionSyntax node)
    {
        bool isNullable = model.GetTypeInfo(node.Left).Type is INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T };
        var tag = Bare(node.Left) is ConditionalAccessExpressionSyntax ? "?. or ??" : isNullable && IsKnown(Bare(node.Right)) ? "optional"
            : model.GetConstantValue(node.Right).Value is "" && IsPartOfText(node) ? "empty" : "";
        return node.WithLeft(AskedNull(node.Left, node, "??", tag)).WithRight(Visited(node.Right));
    }

    public override SyntaxNode? VisitConditionalAccessExpression(ConditionalAccessExpressionSyntax node) =>
        node.WithExpression(AskedNull(node.Expression, node, "?.", IsLeftOfCoalesce(node) ? "?. or ??" : "")).WithWhenNotNull(Visited(node.WhenNotNull));

    public override SyntaxNode? VisitAssignmentExpression(AssignmentExpressionSyntax node)
    {
        if (!node.IsKind(SyntaxKind.CoalesceAssignmentExpression) || !Tries(node, "??=", out var site))
            return base.VisitAssignmentExpression(node);
        int id = Next(3); // value: all less null
        Positions.Conditions.Add(new(At(node.Left.Span), "??=", id, ["value", "null"], node.Left.ToString(), ""));
        var type = model.GetTypeInfo(node).Type;
        var right = Begun($"{_counts}.S({id + 1})", Visited(node.Right), model.GetTypeInfo(node.Right).ConvertedType);
        return Marked(Begun($"{_counts}.S({id + 2})", node.WithLeft(Visited(node.Left)).WithRight(right), type), site);
    }

    // --- patterns -----------------------------------------------------------------------------------------------------------

    static bool IsCompound(PatternSyntax p) => p switch
    {
        ParenthesizedPatternSyntax i => IsCompound(i.Pattern),
        UnaryPatternSyntax not => IsCompound(not.Pattern),
        BinaryPatternSyntax => true,
        RecursivePatternSyntax r => r.PositionalPatternClause != null || r.PropertyPatternClause is { Subpatterns.Count: > 0 },
        ListPatternSyntax => true,
        _ => false,
    };

    /// Can its operands be written one by one? Not lists, deconstruction, and members of members.
    static bool IsPlain(PatternSyntax p) => p.DescendantNodesAndSelf().All(n => n is not (ListPatternSyntax or PositionalPatternClauseSyntax or ExpressionColonSyntax));

    /// `e is A and { P: B }` becomes `e is var t && t is A && t is { } u && u.P is B`.
    ExpressionSyntax Pattern(IsPatternExpressionSyntax node)
    {
        var type = model.GetTypeInfo(node.Expression).Type;
        if (!IsPlain(node.Pattern) || type is null or IDynamicTypeSymbol || !Tries(node, "pattern", out var site))
        {
            Leave(node, "a pattern with list, deconstruction or member of a member");
            return node.WithExpression(Visited(node.Expression));
        }
        var name = $"__p{_names++}_{node.SpanStart}";
        return Marked(And(Is(Visited(node.Expression), VarNamed(name)), Tests(IdentifierName(name), type, node.Pattern, node.Expression)), site);
    }

    static PatternSyntax VarNamed(string name) => VarPattern(SingleVariableDesignation(Identifier(name)));

    static ExpressionSyntax Is(ExpressionSyntax e, PatternSyntax p) => IsPatternExpression(ParenthesizedExpression(e), p);

    /// `of`: the text of the value, if it is the whole one.
    ExpressionSyntax Tests(ExpressionSyntax value, ITypeSymbol type, PatternSyntax pattern, ExpressionSyntax? of = null)
    {
        switch (pattern)
        {
            case ParenthesizedPatternSyntax p:
                return Tests(value, type, p.Pattern, of);
            case UnaryPatternSyntax not when IsCompound(not.Pattern):
                return PrefixUnaryExpression(SyntaxKind.LogicalNotExpression, ParenthesizedExpression(Tests(value, type, not.Pattern)));
            case BinaryPatternSyntax b:
                var (left, right) = (Tests(value, type, b.Left), Tests(value, type, b.Right));
                if (b.IsKind(SyntaxKind.OrPattern)) // integers may be one operand
                    return Asked(b, "pattern", Or(left, right), "pattern");
                return And(left, right);
            case RecursivePatternSyntax r:
                return Members(value, type, r, of);
            case VarPatternSyntax or DiscardPatternSyntax:
                return Is(value, pattern);
            case DeclarationPatternSyntax d when type.IsValueType && SymbolEqualityComparer.Default.Equals(model.GetTypeInfo(d.Type).Type, type):
                return Is(value, pattern);
        }
        return Asked(pattern, "pattern", Is(value, pattern), "pattern");
    }

    ExpressionSyntax Members(ExpressionSyntax value, ITypeSymbol type, RecursivePatternSyntax r, ExpressionSyntax? of)
    {
        var name = $"__p{_names++}_{r.SpanStart}";
        var narrowed = r.Type != null ? model.GetTypeInfo(r.Type).Type! : type is INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } n ? n.TypeArguments[0] : type;
        PatternSyntax test = r.Type != null ? DeclarationPattern(r.Type, SingleVariableDesignation(Identifier(name)))
            : RecursivePattern(null, null, PropertyPatternClause(), SingleVariableDesignation(Identifier(name)));
        bool isSure = type.IsValueType && SymbolEqualityComparer.Default.Equals(type, narrowed);
        var all = isSure ? Is(value, VarNamed(name)) : r.Type == null && of != null ? Asked(of, "pattern", Is(value, test), "pattern", "null", "value")
            : Asked(r, "pattern", Is(value, test), "pattern");
        foreach (var sub in r.PropertyPatternClause?.Subpatterns ?? [])
        {
            var member = MemberAccessExpression(SyntaxKind.SimpleMemberAccessExpression, IdentifierName(name), sub.NameColon!.Name);
            var memberType = model.GetSymbolInfo(sub.NameColon.Name).Symbol switch { IPropertySymbol p => p.Type, IFieldSymbol f => f.Type, _ => type };
            var own = $"__p{_names++}_{sub.SpanStart}";
            all = And(all, And(Is(member, VarNamed(own)), Tests(IdentifierName(own), memberType, sub.Pattern)));
        }
        return r.Designation == null ? all : And(all, Is(IdentifierName(name), VarPattern(r.Designation)));
    }

    public override SyntaxNode? VisitIsPatternExpression(IsPatternExpressionSyntax node) =>
        IsCompound(node.Pattern) ? Pattern(node)
        : node.Pattern is ConstantPatternSyntax or RelationalPatternSyntax ? Asked(node, "pattern", node.WithExpression(Visited(node.Expression)), "pattern") // of some types
        : node.WithExpression(Visited(node.Expression));

    // --- statements ---------------------------------------------------------------------------------------------------------

    IEnumerable<StatementSyntax> Rewritten(IEnumerable<StatementSyntax> statements)
    {
        bool isDead = false;
        foreach (var statement in statements)
        {
            isDead = (isDead || unreachable.Contains((model.SyntaxTree, statement.SpanStart))) && statement is not LabeledStatementSyntax;
            if (isDead && statement is not LocalFunctionStatementSyntax)
            {
                Leave(statement, "unreachable");
                yield return statement;
                continue;
            }
            foreach (var made in Rewritten(statement))
                yield return made;
            isDead |= statement is ExpressionStatementSyntax { Expression: InvocationExpressionSyntax call }
                && model.GetSymbolInfo(call).Symbol?.GetAttributes().Any(a => a.AttributeClass?.Name == "DoesNotReturnAttribute") == true;
        }
    }

    StatementSyntax Body(StatementSyntax body, params StatementSyntax[] first)
    {
        if (body is BlockSyntax block)
            return block.WithStatements(List(first.Concat(Rewritten(block.Statements))));
        return Block(first.Concat(Rewritten([body])));
    }

    public override SyntaxNode? VisitBlock(BlockSyntax node) => node.WithStatements(List(Rewritten(node.Statements)));

    IEnumerable<StatementSyntax> Rewritten(StatementSyntax s)
    {
        switch (s)
        {
            case BlockSyntax or LocalFunctionStatementSyntax or CheckedStatementSyntax or UnsafeStatementSyntax or TryStatementSyntax:
                return [(StatementSyntax)Visit(s)!];
            case LabeledStatementSyntax l:
                return [l.WithStatement(Counts(Statement(From(l.Identifier, l.ColonToken), "label"))), .. Rewritten(l.Statement)];
            case LocalDeclarationStatementSyntax d:
                return d.IsConst || d.Declaration.Variables.All(v => v.Initializer == null) ? [s] : [Counts(Declared(d.Declaration, d.Span)), (StatementSyntax)Visit(s)!];
            case IfStatementSyntax i:
                return [Counts(Statement(From(i.IfKeyword, i.CloseParenToken), "if")), i.Update(i.AttributeLists, i.IfKeyword, i.OpenParenToken, Condition(i.Condition, true),
                    i.CloseParenToken, Body(i.Statement), i.Else?.WithStatement(Body(i.Else.Statement)))];
            case WhileStatementSyntax w:
                return [Loop(w)];
            case DoStatementSyntax d:
                return [Loop(d)];
            case ForStatementSyntax f:
                return Loop(f);
            case CommonForEachStatementSyntax f:
                return Loop(f);
            case SwitchStatementSyntax w:
                return [Counts(Statement(TextSpan.FromBounds(w.SpanStart, w.CloseParenToken.Span.Length > 0 ? w.CloseParenToken.Span.End : w.Expression.Span.End), IsHidden(w, w.Sections) ? "hidden switch" : "switch")), Sections(w)];
            case UsingStatementSyntax u:
                int id = u.Declaration != null ? Declared(u.Declaration, u.Declaration.Span) : Statement(From(u.AwaitKeyword.Span.Length > 0 ? u.AwaitKeyword : u.UsingKeyword, u.CloseParenToken), "using");
                return [Counts(id), u.WithDeclaration((VariableDeclarationSyntax?)Visit(u.Declaration)).WithExpression((ExpressionSyntax?)Visit(u.Expression)).WithStatement(Body(u.Statement))];
            case LockStatementSyntax l when model.GetTypeInfo(l.Expression).Type is { Name: "Lock" }:
                Leave(l.Expression, "lock on a Lock");
                return [l.WithExpression(Visited(l.Expression)).WithStatement(Body(l.Statement))];
            case LockStatementSyntax l:
                return [Counts(Statement(From(l.LockKeyword, l.CloseParenToken), "lock")), l.WithExpression(Visited(l.Expression)).WithStatement(Body(l.Statement))];
            case FixedStatementSyntax f:
                return [Counts(Declared(f.Declaration, f.Declaration.Span)), f.WithDeclaration((VariableDeclarationSyntax)Visit(f.Declaration)!).WithStatement(Body(f.Statement))];
            case BreakStatementSyntax when _breaks.TryPeek(out var flag) && flag != null:
                return [Counts(Statement(s.Span, "jump")), ParseStatement($"{flag} = true;"), s];
            case ContinueStatementSyntax when _continues.TryPeek(out var again) && again != null:
                return [Counts(Statement(s.Span, "jump")), Counts(again.Value), s];
            case GotoStatementSyntax g when !g.IsKind(SyntaxKind.GotoStatement):
                return [Counts(Statement(s.Span, "jump")), ParseStatement($"{_counts}.Jump();"), s];
            case BreakStatementSyntax or ContinueStatementSyntax or GotoStatementSyntax:
                return [Counts(Statement(s.Span, "jump")), s];
            case EmptyStatementSyntax:
                return [s];
            default:
                return [Counts(Statement(s.Span, HasHidden(s) ? "hidden switch" : "statement")), (StatementSyntax)Visit(s)!];
        }
    }

    /// Each variable with a value is a statement.
    int Declared(VariableDeclarationSyntax declaration, TextSpan whole)
    {
        int id = Next();
        var variables = declaration.Variables.Where(v => v.Initializer != null).ToList();
        foreach (var v in variables)
            Statement(TextSpan.FromBounds(v == declaration.Variables[0] ? whole.Start : v.SpanStart, declaration.Variables.Count == 1 ? whole.End : v.Span.End), "declaration", id);
        return id;
    }

    StatementSyntax InLoop(StatementSyntax body, string? flag, int? again, params StatementSyntax[] first)
    {
        _breaks.Push(flag);
        _continues.Push(again);
        var made = Body(body, first);
        _breaks.Pop();
        _continues.Pop();
        return made;
    }

    StatementSyntax Loop(WhileStatementSyntax w)
    {
        int id = Statement(From(w.WhileKeyword, w.CloseParenToken), "while");
        return IsConstant(w.Condition) ? w.WithStatement(InLoop(w.Statement, null, null, Counts(id)))
            : w.WithCondition(Before(id, Condition(w.Condition, true))).WithStatement(InLoop(w.Statement, null, null));
    }

    StatementSyntax Loop(DoStatementSyntax d)
    {
        var body = InLoop(d.Statement, null, null);
        if (!IsConstant(d.Condition))
            return d.WithStatement(body).WithCondition(Before(Statement(From(d.WhileKeyword, d.SemicolonToken), "while"), Condition(d.Condition, true)));
        Leave(d.Condition, "do with a constant");
        return d.WithStatement(body);
    }

    IEnumerable<StatementSyntax> Loop(ForStatementSyntax f)
    {
        if (f.Declaration != null)
            yield return Counts(Declared(f.Declaration, f.Declaration.Span));
        foreach (var initializer in f.Initializers)
            yield return Counts(Statement(initializer.Span, "for"));
        var condition = f.Condition;
        if (condition != null && !IsConstant(condition))
            condition = Before(Statement(condition.Span, "for"), Condition(condition, true));
        var incrementors = f.Incrementors.SelectMany(i => new[] { Call("S", Statement(i.Span, "for")), Visited(i) }).ToList();
        yield return f.Update(f.AttributeLists, f.ForKeyword, f.OpenParenToken, (VariableDeclarationSyntax?)Visit(f.Declaration), SeparatedList(f.Initializers.Select(Visited)),
            f.FirstSemicolonToken, condition, f.SecondSemicolonToken, SeparatedList(incrementors), f.CloseParenToken, InLoop(f.Statement, null, null));
    }

    IEnumerable<StatementSyntax> Loop(CommonForEachStatementSyntax f)
    {
        var variable = f is ForEachStatementSyntax one ? TextSpan.FromBounds(one.Type.SpanStart, one.Identifier.Span.End) : ((ForEachVariableStatementSyntax)f).Variable.Span;
        int begun = Next(), items = Next(2), again = Next();
        Statement(f.ForEachKeyword.Span, "foreach", begun);
        Statement(f.Expression.Span, "foreach", begun);
        Statement(variable, "foreach", items);
        yield return Counts(begun);
        var expression = Visited(f.Expression);
        int first = begun; // the items are asked for when they are there
        if (model.GetTypeInfo(f.Expression).Type is { IsRefLikeType: false, TypeKind: not TypeKind.Dynamic } && Tries(f.Expression, "items", out var site))
        {
            first = Next();
            var call = (InvocationExpressionSyntax)Call("E", first);
            expression = Marked(call.WithArgumentList(call.ArgumentList.WithArguments(call.ArgumentList.Arguments.Insert(0, Argument(expression)))), site);
        }
        Statement(f.InKeyword.Span, "foreach", first, again).Least = [items, items + 1];
        Positions.Conditions.Add(new(At(f.InKeyword.Span), "foreach", items, ["body", "end"], "in", ""));
        var flag = $"__left{_names++}_{f.SpanStart}";
        yield return ParseStatement($"bool {flag} = false;");
        var body = (BlockSyntax)InLoop(f.Statement, flag, again, Counts(items));
        yield return f.WithExpression(expression).WithStatement(body.AddStatements(Counts(again)));
        yield return IfStatement(ParseExpression("!" + flag), Counts(items + 1));
    }

    public override SyntaxNode? VisitCatchClause(CatchClauseSyntax node)
    {
        var filter = node.Filter;
        if (filter != null)
            return node.WithFilter(filter.WithFilterExpression(Before(Statement(filter.Span, "filter"), Condition(filter.FilterExpression, true)))).WithBlock((BlockSyntax)Visit(node.Block)!);
        int id = Statement(From(node.CatchKeyword, node.Declaration?.CloseParenToken ?? node.CatchKeyword), "catch");
        return node.WithBlock((BlockSyntax)Body(node.Block, Counts(id)));
    }

    // --- switches -----------------------------------------------------------------------------------------------------------

    /// The guard is a statement and a condition.
    WhenClauseSyntax? Guard(WhenClauseSyntax? guard) =>
        guard == null || IsConstant(guard.Condition) ? guard : guard.WithCondition(Before(Statement(guard.Span, "guard"), Condition(guard.Condition, true)));

    bool HasHidden(SyntaxNode node) =>
        node.DescendantNodes(n => n is not AnonymousFunctionExpressionSyntax).OfType<SwitchExpressionSyntax>().Any(w => IsHidden(w, w.Arms));

    /// With a variable of an arm that a lambda captures, the symbols have no line for it.
    bool IsHidden(SyntaxNode node, IEnumerable<SyntaxNode> arms)
    {
        var captured = (node is StatementSyntax s ? model.AnalyzeDataFlow(s) : model.AnalyzeDataFlow((ExpressionSyntax)node))?.Captured ?? [];
        return captured.Any(c => c.DeclaringSyntaxReferences.Any(d => d.GetSyntax() is SingleVariableDesignationSyntax or VariableDeclaratorSyntax { Parent.Parent.Parent: SwitchSectionSyntax }
            && arms.Any(a => a.Span.Contains(d.Span))));
    }

    StatementSyntax Sections(SwitchStatementSyntax node)
    {
        var subject = Visited(node.Expression);
        if (!Tries(node, "switch", out var site))
            return node.WithExpression(subject);
        var made = new Switch(At(node.Span), "switch", node.Expression.ToString(), []);
        Positions.Switches.Add(made);
        var sections = new List<SwitchSectionSyntax>();
        _breaks.Push(null);
        foreach (var section in node.Sections)
        {
            int id = Next();
            made.Arms.Add(new(At(section.Labels.Span), string.Join(" ", section.Labels), id));
            var labels = section.Labels.Select(l => l is CasePatternSwitchLabelSyntax p ? p.WithWhenClause(Guard(p.WhenClause)) : l);
            sections.Add(section.WithLabels(List(labels)).WithStatements(List<StatementSyntax>([ExpressionStatement(Call("A", id)), .. Rewritten(section.Statements)])));
        }
        _breaks.Pop();
        if (!node.Sections.Any(s => s.Labels.Any(l => l is DefaultSwitchLabelSyntax or CasePatternSwitchLabelSyntax { Pattern: VarPatternSyntax or DiscardPatternSyntax, WhenClause: null })))
        {
            int id = Next();
            made.Arms.Add(new(At(node.CloseBraceToken.Span), "", id));
            sections.Add(SwitchSection(List<SwitchLabelSyntax>([DefaultSwitchLabel()]), List<StatementSyntax>([ExpressionStatement(Call("A", id)), BreakStatement()])));
        }
        return Marked(node.WithExpression(subject).WithSections(List(sections)), site);
    }

    public override SyntaxNode? VisitSwitchExpression(SwitchExpressionSyntax node)
    {
        var subject = Visited(node.GoverningExpression);
        if (!Tries(node, "switch expression", out var site))
            return node.WithGoverningExpression(subject);
        var made = new Switch(At(node.Span), "switch expression", node.GoverningExpression.ToString(), []);
        Positions.Switches.Add(made);
        var arms = new List<SwitchExpressionArmSyntax>();
        foreach (var arm in node.Arms)
        {
            int id = Next();
            made.Arms.Add(new(At(arm.Pattern.Span), arm.Pattern.ToString(), id));
            var guard = Guard(arm.WhenClause);
            Statement(arm.Expression.Span, "arm", id);
            var taken = Or(Call("S", id), True);
            arms.Add(arm.WithWhenClause(WhenClause(guard == null ? taken : And(guard.Condition, taken))).WithExpression(Visited(arm.Expression)));
        }
        return Marked(node.WithGoverningExpression(subject).WithArms(SeparatedList(arms)), site);
    }

    // --- members and functions ----------------------------------------------------------------------------------------------

    public override SyntaxNode? Visit(SyntaxNode? node)
    {
        switch (node)
        {
            case ParameterListSyntax { Parent: TypeDeclarationSyntax } or PrimaryConstructorBaseTypeSyntax:
                Leave(node, "primary constructor");
                return node;
            case AttributeListSyntax or ParameterListSyntax or EnumDeclarationSyntax or PatternSyntax or GlobalStatementSyntax:
                return node;
            case InvocationExpressionSyntax { Expression: IdentifierNameSyntax { Identifier.Text: "nameof" } }:
                return node;
            case QueryExpressionSyntax:
                Leave(node, "a query");
                return node;
            case MemberDeclarationSyntax member and not BaseNamespaceDeclarationSyntax:
                var symbol = model.GetDeclaredSymbol(member is BaseFieldDeclarationSyntax f ? f.Declaration.Variables[0] : (SyntaxNode)member);
                if (symbol?.GetAttributes().Any(a => a.AttributeClass?.Name == "ExcludeFromCodeCoverageAttribute") == true)
                {
                    Leave(member, "excluded by an attribute");
                    return node;
                }
                return Tries(member, "member", out var site) ? Marked(base.Visit(node)!, site) : node;
        }
        return base.Visit(node);
    }

    /// A body with braces; without any statement, the last brace is one.
    BlockSyntax Braces(BlockSyntax body, int header = -1)
    {
        var (breaks, continues) = (_breaks, _continues);
        (_breaks, _continues) = (new(), new());
        int first = header < 0 ? Counters : header;
        var made = (BlockSyntax)Body(body);
        (_breaks, _continues) = (breaks, continues);
        if (header < 0 && !body.Statements.Any(s => s is not LocalFunctionStatementSyntax))
            made = made.AddStatements(Counts(Statement(body.CloseBraceToken.Span, "brace")));
        Positions.Bodies.Add(new(At(body.Span), first, Counters));
        return made;
    }

    BlockSyntax Braces(ExpressionSyntax body, bool hasValue)
    {
        int id = Statement(body.Span, "body");
        var value = Visited(body);
        Positions.Bodies.Add(new(At(body.Span), id, Counters));
        return Block(Counts(id), value is ThrowExpressionSyntax t ? ThrowStatement(t.Expression) : hasValue ? ReturnStatement(value) : ExpressionStatement(value));
    }

    static bool HasValue(IMethodSymbol? m) => m is { ReturnsVoid: false } && !(m.IsAsync && m.ReturnType is INamedTypeSymbol { Arity: 0 });

    public override SyntaxNode? VisitMethodDeclaration(MethodDeclarationSyntax node) =>
        node.Body != null ? node.WithBody(Braces(node.Body))
        : node.ExpressionBody == null ? node
        : node.WithBody(Braces(node.ExpressionBody.Expression, HasValue(model.GetDeclaredSymbol(node) as IMethodSymbol))).WithExpressionBody(null).WithSemicolonToken(default);

    public override SyntaxNode? VisitOperatorDeclaration(OperatorDeclarationSyntax node) =>
        node.Body != null ? node.WithBody(Braces(node.Body))
        : node.ExpressionBody == null ? node
        : node.WithBody(Braces(node.ExpressionBody.Expression, true)).WithExpressionBody(null).WithSemicolonToken(default);

    public override SyntaxNode? VisitConversionOperatorDeclaration(ConversionOperatorDeclarationSyntax node) =>
        node.Body != null ? node.WithBody(Braces(node.Body))
        : node.ExpressionBody == null ? node
        : node.WithBody(Braces(node.ExpressionBody.Expression, true)).WithExpressionBody(null).WithSemicolonToken(default);

    public override SyntaxNode? VisitDestructorDeclaration(DestructorDeclarationSyntax node) =>
        node.Body != null ? node.WithBody(Braces(node.Body))
        : node.ExpressionBody == null ? node
        : node.WithBody(Braces(node.ExpressionBody.Expression, false)).WithExpressionBody(null).WithSemicolonToken(default);

    public override SyntaxNode? VisitLocalFunctionStatement(LocalFunctionStatementSyntax node)
    {
        _lambdas.Add(node.Span);
        return node.Body != null ? node.WithBody(Braces(node.Body))
            : node.ExpressionBody == null ? node
            : node.WithBody(Braces(node.ExpressionBody.Expression, HasValue(model.GetDeclaredSymbol(node) as IMethodSymbol))).WithExpressionBody(null).WithSemicolonToken(default);
    }

    public override SyntaxNode? VisitConstructorDeclaration(ConstructorDeclarationSyntax node)
    {
        if (node.Body == null && node.ExpressionBody == null)
            return node;
        bool hasHeader = !node.Modifiers.Any(SyntaxKind.StaticKeyword) && (node.Initializer != null || model.GetDeclaredSymbol(node)!.ContainingType.IsReferenceType);
        int id = -1;
        if (hasHeader)
            id = Statement(node.Initializer is { } i ? From(i.ThisOrBaseKeyword, i.ArgumentList.CloseParenToken)
                : TextSpan.FromBounds(node.Modifiers.Count > 0 ? node.Modifiers[0].SpanStart : node.Identifier.SpanStart, node.ParameterList.Span.End), "constructor");
        var initializer = (ConstructorInitializerSyntax?)Visit(node.Initializer);
        var body = node.Body != null ? Braces(node.Body, id) : Braces(node.ExpressionBody!.Expression, false);
        if (hasHeader)
            body = body.WithStatements(body.Statements.Insert(0, Counts(id)));
        return node.WithInitializer(initializer).WithBody(body).WithExpressionBody(null).WithSemicolonToken(default);
    }

    public override SyntaxNode? VisitAccessorDeclaration(AccessorDeclarationSyntax node)
    {
        if (node.Body == null && node.ExpressionBody == null)
        {
            Leave(node, "automatic accessor");
            return node;
        }
        return node.WithBody(node.Body != null ? Braces(node.Body) : Braces(node.ExpressionBody!.Expression, node.IsKind(SyntaxKind.GetAccessorDeclaration)))
            .WithExpressionBody(null).WithSemicolonToken(default);
    }

    AccessorListSyntax Getter(ArrowExpressionClauseSyntax arrow) =>
        AccessorList(SingletonList(AccessorDeclaration(SyntaxKind.GetAccessorDeclaration, Braces(arrow.Expression, true))));

    public override SyntaxNode? VisitPropertyDeclaration(PropertyDeclarationSyntax node)
    {
        if (node.ExpressionBody is { } arrow)
            return node.WithAccessorList(Getter(arrow)).WithExpressionBody(null).WithSemicolonToken(default);
        var symbol = model.GetDeclaredSymbol(node);
        return node.WithAccessorList((AccessorListSyntax?)Visit(node.AccessorList)).WithInitializer(Initial(node.Initializer, node.Initializer?.Value.Span ?? default, symbol?.Type));
    }

    public override SyntaxNode? VisitIndexerDeclaration(IndexerDeclarationSyntax node) =>
        node.ExpressionBody is { } arrow ? node.WithAccessorList(Getter(arrow)).WithExpressionBody(null).WithSemicolonToken(default)
        : node.WithAccessorList((AccessorListSyntax?)Visit(node.AccessorList));

    public override SyntaxNode? VisitFieldDeclaration(FieldDeclarationSyntax node)
    {
        if (node.Modifiers.Any(SyntaxKind.ConstKeyword))
            return node;
        var variables = node.Declaration.Variables.Select((v, i) => v.WithInitializer(Initial(v.Initializer,
            TextSpan.FromBounds(i > 0 ? v.SpanStart : node.Modifiers.Count > 0 ? node.Modifiers[0].SpanStart : node.Declaration.SpanStart, node.Declaration.Variables.Count == 1 ? node.Span.End : v.Span.End),
            (model.GetDeclaredSymbol(v) as IFieldSymbol)?.Type)));
        return node.WithDeclaration(node.Declaration.WithVariables(SeparatedList(variables)));
    }

    EqualsValueClauseSyntax? Initial(EqualsValueClauseSyntax? initial, TextSpan span, ITypeSymbol? type)
    {
        if (initial == null)
            return null;
        if (initial.Value is InitializerExpressionSyntax || type == null || !Tries(initial, "initial value", out var site))
        {
            if (initial.Value is InitializerExpressionSyntax)
                Leave(initial, "initial value of an array");
            return initial.WithValue(Visited(initial.Value));
        }
        int id = Statement(span, "field");
        return Marked(initial.WithValue(Begun($"{_counts}.S({id})", Visited(initial.Value), type)), site);
    }

    /// Of an expression that becomes a tree nothing can be counted, nor does ilcov see it run.
    bool IsTree(ExpressionSyntax lambda)
    {
        if (model.GetTypeInfo(lambda).ConvertedType is not INamedTypeSymbol { Name: "Expression" })
            return false;
        Leave(lambda, "an expression tree");
        return true;
    }

    BlockSyntax LambdaBody(LambdaExpressionSyntax node)
    {
        _lambdas.Add(node.Body.Span);
        return node.Body is BlockSyntax block ? Braces(block) : Braces((ExpressionSyntax)node.Body, HasValue(model.GetSymbolInfo(node).Symbol as IMethodSymbol));
    }

    public override SyntaxNode? VisitSimpleLambdaExpression(SimpleLambdaExpressionSyntax node) =>
        IsTree(node) || !Tries(node, "lambda", out var site) ? node : Marked(node.WithBlock(LambdaBody(node)).WithExpressionBody(null), site);

    public override SyntaxNode? VisitParenthesizedLambdaExpression(ParenthesizedLambdaExpressionSyntax node) =>
        IsTree(node) || !Tries(node, "lambda", out var site) ? node : Marked(node.WithBlock(LambdaBody(node)).WithExpressionBody(null), site);

    public override SyntaxNode? VisitAnonymousMethodExpression(AnonymousMethodExpressionSyntax node)
    {
        _lambdas.Add(node.Block.Span);
        return node.WithBlock(Braces(node.Block));
    }
}
