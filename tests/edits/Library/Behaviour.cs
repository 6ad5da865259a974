// What the code does: each construct whose change selects by who ran, or who names, it.
using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Base;

namespace Library;

public class Greeting : IGreeting
{
    public string Name => "you";
}

public class Square : Shape
{
    public override int Sides => 4;
}

public class Circle : Shape { }

public class Disc : Circle
{
    public int Radius = 3;
}

public interface INumber<TSelf> where TSelf : INumber<TSelf>
{
    static abstract int One();
    static virtual int Two() => 2;
}

public struct Plain : INumber<Plain>
{
    public static int One() => 1;
}

public struct Own : INumber<Own>
{
    public static int One() => 1;
    static int INumber<Own>.Two() => 3;
}

public static class Sums
{
    public static int Of<T>() where T : INumber<T> => T.One() + T.Two();
}

public readonly struct Metre(int value)
{
    public int Value { get; } = value;
    public static implicit operator int(Metre metre) => metre.Value;
    public static explicit operator Metre(long value) => new((int)value);
}

public static class Taking
{
    public static string Take(object value) => "object";
    public static string Take(long value) => "long";
    public static string Rest(params object[] values) => "rest " + values.Length;
    public static string Any<T>(T value) => "any";
}

public static class Extending
{
    public static string Twice(this string text) => text + text;
    public static string Short(this object value) => "short";
}

public static class Calling
{
    public static string Take() => Taking.Take(3) + Taking.Any("a");
    public static string Rest() => Taking.Rest(1, 2);
    public static string Twice() => "ab".Twice() + "x".Short();
    public static int Length(Metre metre) => metre;
    public static string Kept() => Limits.Kept();
    public static int Most() => Limits.Most;
    public static int Least() => Limits.Least;
    public static bool IsRed(Colour colour) => colour == Colour.Red;
    public static string Line([CallerLineNumber] int line = 0, [CallerMemberName] string member = "") => member + (line > 0);
    public static string Told() => Line();
    public static string Argument(int value, [CallerArgumentExpression("value")] string text = "") => text;
    public static string Expression(int number) => Argument(number + 1);
    public static int Default(int value = 5) => value;
    public static int Defaulted() => Default();
    public static int Named() => Subtract(5, 1);
    static int Subtract(int a, int b) => a - b;
}

[InterpolatedStringHandler]
public ref struct Handler
{
    private string _text;
    public Handler(int literal, int formatted) { _text = ""; }
    public void AppendLiteral(string text) { _text += text; }
    public void AppendFormatted<T>(T value) { _text += "<" + value + ">"; }
    public override string ToString() => _text;
}

public static class Logging
{
    public static string Log(Handler handler) => handler.ToString();
    public static string Both(int x) => Log($"x {x}");
}

public partial class Split
{
    public string Told = "";
    partial void OnMade();
    public Split() { OnMade(); }
}

public partial class Split
{
    partial void OnMade() { Told = "made"; }
}

public static class Statics
{
    public static readonly int[] Table = [1, 2, 3, 4, 5, 6, 7, 8];
    public static int Third() => Table[2];
    public static ReadOnlySpan<byte> Bytes => "abc"u8;
    public static int FirstByte() => Bytes[0];
    public static int Stacked()
    {
        Span<int> some = stackalloc int[] { 4, 5, 6 };
        return some[1];
    }
    public static string Text { get; set; } = "text";
    public static string Get() => Text;
}

public static class Closures
{
    public static Func<int, int>[] Both(int y) => [x => x + y, x => x - y];
    public static int Counted()
    {
        int n = 1;
        void Add() { n += 2; }
        Add();
        Add();
        return n;
    }
    public static IEnumerable<int> Steps(int from)
    {
        int step = 2;
        yield return from;
        from += step;
        yield return from;
    }
    public static async Task<string> Later(int value)
    {
        string text = "v" + value;
        await Task.Yield();
        return text + value;
    }
    public static int Folded(int[] all) => all.Where(x => x > 1).Select(x => x * 2).Sum();
}

file class Own1
{
    public static string Name() => "file";
}

public static class Files
{
    public static string Name() => Own1.Name();
}

public static class Catching
{
    public static string Caught(int kind)
    {
        try
        {
            if (kind == 0)
                throw new ArgumentException("a");
            if (kind == 1)
                throw new InvalidOperationException("b");
            return "none";
        }
        catch (ArgumentException)
        {
            return "argument";
        }
        catch (Exception e) when (e.Message == "b")
        {
            return "filtered";
        }
        finally
        {
            Last = kind;
        }
    }
    public static int Last;
}

public struct Small
{
    public int Left, Right;
    public Small() { Left = 1; }
}

public struct Outer
{
    public Small Inner;
    public int After;
}

public class Fields
{
    public int Start = 2;
    public int End { get; init; } = 9;
    public required string Name { get; set; }
}

public record Point(int X, int Y);

public record struct Pair2(int A, int B);

public record Deep(int X, int Y, int Z) : Point(X, Y);

public abstract class Template
{
    public string Run() => Before() + Middle();
    protected virtual string Before() => "before ";
    protected abstract string Middle();
}

public class Filled : Template
{
    protected override string Middle() => "filled";
}

public class Refilled : Filled { }

public class Disposing : IDisposable
{
    public static int Count;
    public void Dispose() { Count++; }
}

public class Text : IEquatable<Text>
{
    public string Value = "v";
    public bool Equals(Text? other) => other != null && Value == other.Value;
    public override bool Equals(object? obj) => Equals(obj as Text);
    public override int GetHashCode() => 1;
}

public class Listing : List<int>
{
    public int Extra => Count + 1;
}

public delegate int Change(int x);

public class Events
{
    public event Change? Changed;
    public int Fire(int x) => Changed?.Invoke(x) ?? -1;
}

public static class Sources
{
    public static string Lazy() => "lazy";
    public static string Found() => "found";
    public static string Locked() => "locked";
    public static string Group() => "group";
    public static string Exchanged() => "exchanged";
    public static string Given() => "given";
    public static string Held() => "held";
    public static string Generic() => "generic";
    public static string Heard() => "heard";
    public static string Cached() => "cached";
    public static string Added() => "added";
    public static string Slot() => "slot";
    public static string Weak() => "weak";
    public static string OfLocal() => "of a local";
    public static string OfOne() => "of one";
    public static string LateOfOne() => "late of one";
    public static string OfFixture() => "of a fixture";
    public static string Mode() => "mode";
    public static string Said() => "said";
    public static string Part() => "part";
    public static string Entry() => "entry";
    public static string Place() => "place";
    public static string Field() => "field";
    public static string Text() => "text";
}

public struct Holder
{
    public string? Text;
    public void Set(string text) => Text = text;
}

public static class Kept<T>
{
    public static string? Value;
}

public sealed class One
{
    public static readonly One Instance = new();
    string? _text;
    public readonly Lazy<string> Late = new(() => Sources.LateOfOne());
    public string Mode { get; set; } = "";
    public string Field = "";
    public readonly List<string> Texts = new();
    public string Text => _text ??= Sources.OfOne();
}

/* What one test leaves in a static field, or in an object in it, for others. */
public static class Left
{
    static readonly Lazy<string> Group = new(Sources.Group);
    static readonly ThreadLocal<string> OfLocal = new(() => Sources.OfLocal());
    static readonly Dictionary<int, string> Texts = new();
    static readonly ConcurrentDictionary<int, string> More = new();
    static readonly ConditionalWeakTable<Type, string> Weak = new();
    static readonly string?[] Slots = new string?[1];
    static string? _exchanged, _given;
    static Holder _holder;
    static event Func<string>? Heard;
    public static event Func<string>? Said;
    public static readonly List<string> Parts = new();
    public static readonly Dictionary<int, string> Entries = new();
    public static readonly string?[] Places = new string?[1];

    public static string OfGroup() => Group.Value;
    public static string Exchanged()
    {
        if (_exchanged == null)
            Interlocked.CompareExchange(ref _exchanged, Sources.Exchanged(), null);
        return _exchanged!;
    }
    public static string Given()
    {
        if (_given == null)
            Give(out _given);
        return _given;
    }
    static void Give(out string text) => text = Sources.Given();
    public static string Held()
    {
        if (_holder.Text == null)
            _holder.Set(Sources.Held());
        return _holder.Text!;
    }
    public static string Generic() => Kept<int>.Value ??= Sources.Generic();
    public static string IsHeard()
    {
        if (Heard == null)
            Heard += Saying(Sources.Heard());
        return Heard!();
    }
    static Func<string> Saying(string text) => () => text;
    public static string Cached()
    {
        if (!Texts.TryGetValue(1, out var text))
            Texts[1] = text = Sources.Cached();
        return text;
    }
    public static string Added() => More.GetOrAdd(1, _ => Sources.Added());
    public static string Slot()
    {
        if (Slots[0] == null)
            Slots[0] = Sources.Slot();
        return Slots[0]!;
    }
    public static string OfType() => Weak.GetValue(typeof(Left), _ => Sources.Weak());
    public static string Local() => OfLocal.Value!;
    public static string OfOne() => One.Instance.Text;
    public static string LateOfOne() => One.Instance.Late.Value;
    public static string Mode() => One.Instance.Mode;
    public static string Say() => Said?.Invoke() ?? "";
    public static string Part() => Parts.Count == 0 ? "" : Parts[0];
    public static string Entry() => Entries.GetValueOrDefault(1, "");
    public static string Place() => Places[0] ?? "";
    public static string Field() => One.Instance.Field;
    public static string AllTexts() => string.Join(",", One.Instance.Texts);
}

public static class Leaving
{
    public static void Mode() => One.Instance.Mode = Sources.Mode();
    public static void Said() => Left.Said += Sources.Said;
    public static void Part() => Left.Parts.Add(Sources.Part());
    public static void Entry() => Left.Entries[1] = Sources.Entry();
    public static void Place() => Left.Places[0] = Sources.Place();
    public static void Field() => One.Instance.Field = Sources.Field();
    public static void Text() => One.Instance.Texts.Add(Sources.Text());
}

public static class Once
{
    static readonly Lazy<string> Kept = new(() => Sources.Lazy());
    static readonly object Lock = new();
    static string? _found, _locked;

    public static string Lazily() => Kept.Value;
    public static string Found() => _found ??= Sources.Found();
    public static string Locked()
    {
        if (_locked == null)
            lock (Lock)
                if (_locked == null)
                    Make();
        return _locked!;
    }
    static void Make()
    {
        _locked = Sources.Locked();
    }
}

public static class Switching
{
    public static string Of(object value) => value switch
    {
        int n when n > 10 => "large",
        int => "int",
        string { Length: 3 } => "three",
        int[] and [1, .., 3] => "list",
        Point(0, _) => "axis",
        null => "null",
        _ => "other",
    };
}
