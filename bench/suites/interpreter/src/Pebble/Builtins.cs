using System.Text;

namespace Pebble;

/// <summary>The functions that every script has.</summary>
internal static class Builtins
{
    public static void Define(Scope scope, StringBuilder output)
    {
        Add(scope, "print", arguments =>
        {
            output.AppendJoin(' ', arguments).Append('\n');
            return Value.Nil;
        });
        Add(scope, "length", arguments => Value.Of(arguments[0].Shape switch
        {
            Shape.Text => arguments[0].Text.Length,
            Shape.List => arguments[0].List.Count,
            _ => 0.0,
        }));
        Add(scope, "push", arguments =>
        {
            arguments[0].List.Add(arguments[1]);
            return arguments[0];
        });
        Add(scope, "floor", arguments => Value.Of(Math.Floor(arguments[0].Number)));
        Add(scope, "filled", arguments =>
            Value.Of(Enumerable.Repeat(arguments[1], (int)arguments[0].Number).ToList()));
    }

    private static void Add(Scope scope, string name, Func<IReadOnlyList<Value>, Value> native) =>
        scope.Define(name, Value.Of(new Function { Name = name, Native = native }));
}
