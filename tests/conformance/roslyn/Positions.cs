// Positions.cs - what a rewritten project counts, and where that stands in its sources: the part of the expectation that is known
// before anything runs. compare.py reads it as JSON.
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace Roslyn;

/// Lines and columns from 1; the end is behind the last character.
readonly record struct Place(int Line, int Column, int EndLine, int EndColumn)
{
    public static Place Of(SyntaxTree tree, TextSpan span)
    {
        var lines = tree.GetMappedLineSpan(span).Span;
        return new(lines.Start.Line + 1, lines.Start.Character + 1, lines.End.Line + 1, lines.End.Character + 1);
    }
}

/// Runs as often as its counters say together. `Lines`: those in between that belong to it.
sealed record Statement(Place Place, string Kind, int[] Counters)
{
    public List<int> Lines { get; } = [];

    /// Where only that is certain: it runs at least as often as these say together.
    public int[] Least { get; set; } = Counters;
}

/// Two outcomes, in the counters `First` and `First` + 1, called so. `Tag`: a kind with rules of its own.
sealed record Condition(Place Place, string Kind, int First, string[] Outcomes, string Text, string Tag);

sealed record Arm(Place Place, string Text, int Counter);

sealed record Switch(Place Place, string Kind, string Subject, List<Arm> Arms);

/// Of a method or lambda: called if one of the counters from `First` up to `End` is not 0.
sealed record Body(Place Place, int First, int End);

/// Text that is not compared, and why.
sealed record Left(Place Place, string Why);

sealed class Positions
{
    public List<Statement> Statements { get; } = [];
    public List<Condition> Conditions { get; } = [];
    public List<Switch> Switches { get; } = [];
    public List<Body> Bodies { get; } = [];
    public List<Left> Left { get; } = [];
}
