// Topics.cs - the kinds of code that a generated solution is made of. `R(a, b)` is a number of the seed, `Other(x)` a call of another topic, or
// just x.
namespace Mutants;

static class Topics
{
    static readonly string[] Nouns = ["Order", "Price", "Stock", "Route", "Ledger", "Parcel", "Ticket", "Meter", "Signal", "Basket", "Quota", "Invoice", "Sensor", "Account", "Voyage", "Recipe"];

    public static Topic Make(Random random, int number, string library, Func<string, string> other)
    {
        var kinds = new Func<Random, string, Func<string, string>, Topic>[] { Calculations, Shapes, Records, Store, Services, Sequences, Extensions, Units, Tables, Closures, Matches, Labels, Steps, Generics };
        // Each kind before any again.
        return kinds[number % kinds.Length](random, $"{Nouns[random.Next(Nouns.Length)]}{number}", other);
    }

    static Topic Calculations(Random random, string n, Func<string, string> other)
    {
        int R(int a, int b) => random.Next(a, b);
        return new Topic(n, $$"""
            public class {{n}}
            {
                public const int Limit = {{R(50, 90)}};
                const int Step = {{R(2, 9)}};
                private readonly int _start;
                private int _calls = {{R(0, 3)}};

                public {{n}}(int start = {{R(1, 9)}})
                {
                    _start = start;
                }

                public {{n}}() : this({{R(1, 9)}})
                {
                    _calls = 1;
                }

                public int Total(int x, int rate = {{R(2, 7)}})
                {
                    _calls++;
                    int sum = _start;
                    for (int i = 0; i < x % 20; i++)
                    {
                        if (i % 3 == 0 && i > 2)
                            sum += i * rate;
                        else
                            sum += Step;
                    }
                    return sum > Limit ? sum - Limit : {{other("sum")}};
                }

                public int Scaled(int x) => Total(x, 3) * 2 + Total(x);

                public static bool IsEven(int x) => x % 2 == 0;

                public static int Clamp(int x, int low = 0, int high = Limit)
                {
                    if (x < low)
                        return low;
                    if (x > high)
                    {
                        return high;
                    }
                    return x;
                }

                public override string ToString() => $"{_start} to {Limit}, {_calls} calls";
            }

            """, x => $"new {n}({R(1, 5)}).Total({x})", n, $"new {n}({R(1, 9)})",
        [
            new("Adds_up", "", "made.Total(x)", [1, 7, 15]),
            new("Scales", "", "made.Scaled(8)"),
            new("Has_a_rate", "", "made.Total(12, 1)"),
            new("Knows_even_numbers", "", $"{n}.IsEven(x)", [3, 4]),
            new("Clamps", "", $"{n}.Clamp(x)", [-4, 12, 999]),
            new("Clamps_between", "", $"{n}.Clamp(5, 7, 9)"),
            new("Counts_its_calls", "var own = new " + n + "(3); own.Total(2);", "own.ToString()"),
            new("Has_a_start", "var own = new " + n + "();", "own.ToString()"),
        ]);
    }

    static Topic Shapes(Random random, string n, Func<string, string> other)
    {
        int R(int a, int b) => random.Next(a, b);
        return new Topic(n, $$"""
            public interface I{{n}}
            {
                int Size { get; }
                string Describe();
                int Weight() => Size * {{R(2, 6)}};
            }

            public abstract class {{n}} : I{{n}}
            {
                protected readonly int Edge;
                protected {{n}}(int edge) => Edge = edge + Margin();
                public abstract int Size { get; }
                protected virtual int Margin() => {{R(0, 4)}};
                public virtual string Describe() => $"{Name} of {Size}";
                public virtual string Name => "shape";
                public override string ToString() => Describe();

                public static {{n}} Make(string kind, int edge) => kind switch
                {
                    "square" => new {{n}}Square(edge),
                    "ring" => new {{n}}Ring(edge, edge / 2),
                    "cube" => new {{n}}Cube(edge),
                    _ => throw new ArgumentException("no " + kind),
                };
            }

            public class {{n}}Square : {{n}}
            {
                public {{n}}Square(int edge) : base(edge) { }
                public override int Size => {{other("Edge * Edge")}};
                public override string Name => "square";
            }

            public sealed class {{n}}Cube : {{n}}Square
            {
                public {{n}}Cube(int edge) : base(edge + {{R(1, 4)}}) { }
                public override int Size => base.Size * Edge;
                public override string Describe() => base.Describe() + "!";
                protected override int Margin() => base.Margin() + 1;
            }

            public sealed class {{n}}Ring(int outer, int inner) : {{n}}(outer), I{{n}}
            {
                public override int Size => (Edge * Edge - inner * inner) * {{R(2, 5)}};
                public int Weight() => Size - inner;
            }

            """, x => $"{n}.Make(\"square\", {x}).Size", n, $"{n}.Make(\"cube\", {R(2, 6)})",
        [
            new("Has_a_square", "", $"{n}.Make(\"square\", x).Size", [2, 5]),
            new("Has_a_cube", "", "made.Size"),
            new("Has_a_ring", "", $"{n}.Make(\"ring\", 9).Size"),
            new("Describes_a_cube", "", "made.Describe()"),
            new("Describes_a_ring", "", $"{n}.Make(\"ring\", 4).ToString()"),
            new("Weighs_by_default", $"I{n} it = {n}.Make(\"square\", 3);", "it.Weight()"),
            new("Weighs_a_ring", $"I{n} it = {n}.Make(\"ring\", 6);", "it.Weight()"),
            new("Refuses_others", "", $"Suite.Caught.By(() => {n}.Make(\"line\", 1))"),
        ]);
    }

    static Topic Records(Random random, string n, Func<string, string> other)
    {
        int R(int a, int b) => random.Next(a, b);
        return new Topic(n, $$"""
            public enum {{n}}State
            {
                Open,
                Paid = {{R(3, 9)}},
                Sent,
                Lost = {{R(20, 40)}},
            }

            public record {{n}}Line(string Item, int Count, int Price = {{R(2, 8)}})
            {
                public int Sum => Count * Price;
                public virtual int Reduced(int by) => Sum - by;
            }

            public sealed record {{n}}Gift(string Item, int Count) : {{n}}Line(Item, Count, 0)
            {
                public string Note { get; init; } = "for you";
                public override int Reduced(int by) => base.Reduced(by) + {{R(1, 5)}};
            }

            public readonly record struct {{n}}Point(int X, int Y)
            {
                public int Distance => Math.Abs(X) + Math.Abs(Y);
                public {{n}}Point Moved(int dx, int dy = {{R(1, 5)}}) => new(X + dx, Y + dy);
            }

            public record {{n}}
            {
                public List<{{n}}Line> Lines { get; } = [];
                public {{n}}State State { get; init; } = {{n}}State.Open;
                public int Fee { get; set; } = {{R(3, 20)}};
                public string Owner { get; set; } = "{{n.ToLowerInvariant()}}";

                public {{n}} With(string item, int count)
                {
                    Lines.Add(count == 0 ? new {{n}}Gift(item, 1) : new {{n}}Line(item, count));
                    return this;
                }

                public int Total() => Lines.Sum(l => l.Sum) + {{other("Fee")}};
                public bool IsOver => State > {{n}}State.Paid;
                public string Code => $"{Owner}-{(int)State:000}";
                public override string ToString() => $"{Owner}: {Lines.Count} lines, {Fee}";
            }

            """, x => $"new {n} {{ Fee = {x} }}.Total()", n, $"new {n}().With(\"pen\", {R(2, 6)}).With(\"card\", 0)",
        [
            new("Adds_up_its_lines", "", "made.Total()"),
            new("Has_a_fee", $"var own = new {n} {{ Fee = x }};", "own.Total()", [0, 4]),
            new("Has_a_price", "", $"new {n}Line(\"ink\", 3).Sum"),
            new("Reduces", $"{n}Line line = new {n}Gift(\"tie\", 2);", "line.Reduced(1)"),
            new("Shows_a_gift", "", $"new {n}Gift(\"tie\", 2).ToString()"),
            new("Compares_by_value", $"var a = new {n}Line(\"x\", 1); var b = new {n}Line(\"x\", 2) with {{ Count = 1 }};", "a == b"),
            new("Moves", "", $"new {n}Point(1, 2).Moved(3).ToString()"),
            new("Measures", "", $"new {n}Point(x, -2).Distance", [-5, 6]),
            new("Has_a_code", $"var own = new {n} {{ State = {n}State.Sent }};", "own.Code"),
            new("Is_over", $"var own = new {n} {{ State = {n}State.Lost }};", "own.IsOver"),
        ]);
    }

    static Topic Store(Random random, string n, Func<string, string> other)
    {
        int R(int a, int b) => random.Next(a, b);
        return new Topic(n, $$"""
            public interface I{{n}}Key<TKey> where TKey : IComparable<TKey>
            {
                TKey Key { get; }
                static virtual int Size => {{R(2, 8)}};
            }

            public sealed class {{n}}Row(int key, string text) : I{{n}}Key<int>
            {
                public int Key => key;
                public string Text { get; } = text.Trim();
                public static int Size => {{R(2, 8)}};
            }

            public class {{n}}<TKey, TRow> : IEnumerable<TRow> where TKey : IComparable<TKey> where TRow : class, I{{n}}Key<TKey>
            {
                private readonly SortedDictionary<TKey, TRow> _rows = [];
                public event Action<TRow>? Added;
                public int Count => _rows.Count * TRow.Size;

                public bool Add(TRow row)
                {
                    if (_rows.ContainsKey(row.Key))
                        return false;
                    _rows[row.Key] = row;
                    Added?.Invoke(row);
                    return true;
                }

                public TRow? this[TKey key] => _rows.TryGetValue(key, out var row) ? row : null;

                public TResult Fold<TResult>(TResult start, Func<TResult, TRow, TResult> add)
                {
                    var result = start;
                    foreach (var row in _rows.Values)
                        result = add(result, row);
                    return result;
                }

                public IEnumerator<TRow> GetEnumerator()
                {
                    foreach (var (key, row) in _rows)
                        if (key.CompareTo(default!) >= 0)
                            yield return row;
                }

                System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
                public override string ToString() => "store of " + Count;
            }

            public static class {{n}}Stores
            {
                public static {{n}}<int, {{n}}Row> Filled(int count)
                {
                    var store = new {{n}}<int, {{n}}Row>();
                    for (int i = 0; i < count; i++)
                        store.Add(new {{n}}Row({{other("i")}} % 97 - {{R(1, 3)}}, $" row {i} "));
                    return store;
                }

                public static int Sum(int count) => Filled(Math.Abs(count) % 11).Fold(0, (sum, row) => sum + row.Key);
            }

            """, x => $"{n}Stores.Sum({x})", $"{n}<int, {n}Row>", $"{n}Stores.Filled({R(4, 8)})",
        [
            new("Counts", "", "made.Count"),
            new("Folds", "", "made.Fold(1, (sum, row) => sum * 2 + row.Key)"),
            new("Lists", "", "string.Join(';', made.Select(r => r.Text))"),
            new("Refuses_what_is_there", $"var own = {n}Stores.Filled(3);", $"own.Add(new {n}Row(own.First().Key, \"x\"))"),
            new("Tells_what_is_added", $"var own = new {n}<int, {n}Row>(); var told = \"\"; own.Added += r => told += r.Text; own.Add(new {n}Row(4, \" four \"));", "told"),
            new("Finds", "", $"made[x] != null", [0, 1, 60]),
            new("Sums", "", $"{n}Stores.Sum(x)", [5, 9]),
        ]);
    }

    static Topic Services(Random random, string n, Func<string, string> other)
    {
        int R(int a, int b) => random.Next(a, b);
        return new Topic(n, $$"""
            public interface I{{n}}Clock
            {
                ValueTask<int> Now();
            }

            public sealed class {{n}}Clock(int start) : I{{n}}Clock
            {
                private int _now = start;

                public async ValueTask<int> Now()
                {
                    await Task.Yield();
                    return _now += {{R(2, 6)}};
                }
            }

            public sealed class {{n}}(I{{n}}Clock clock, int limit = {{R(20, 40)}}) : IAsyncDisposable
            {
                public bool Closed { get; private set; }

                public async Task<int> Wait(int steps)
                {
                    int last = 0;
                    for (int i = 0; i < steps; i++)
                    {
                        last = await clock.Now().ConfigureAwait(false);
                        if (last > limit)
                            throw new TimeoutException($"after {last}");
                    }
                    return {{other("last")}};
                }

                public async IAsyncEnumerable<int> Ticks(int count)
                {
                    for (int i = 0; i < count; i++)
                    {
                        var now = await clock.Now();
                        if (now % 2 == 0)
                            yield return now * {{R(2, 5)}};
                        else
                            yield return now;
                    }
                }

                public async Task<string> Try(int steps)
                {
                    try
                    {
                        return "waited " + await Wait(steps);
                    }
                    catch (TimeoutException e) when (steps > {{R(2, 4)}})
                    {
                        return "late: " + e.Message;
                    }
                    finally
                    {
                        await DisposeAsync();
                    }
                }

                public Task<int[]> Together(params int[] steps) => Task.WhenAll(steps.Select(async s =>
                {
                    await Task.Yield();
                    return s * {{R(3, 7)}} + 1;
                }));

                public ValueTask DisposeAsync()
                {
                    Closed = true;
                    return default;
                }

                public static int Waited(int x) => new {{n}}(new {{n}}Clock(x), int.MaxValue).Wait(2).GetAwaiter().GetResult();
                public override string ToString() => "service up to " + limit;
            }

            """, x => $"{n}.Waited({x})", n, $"new {n}(new {n}Clock({R(1, 4)}))",
        [
            new("Waits", "", $"await new {n}(new {n}Clock(x)).Wait(2)", [1, 5]),
            new("Times_out", "", $"await new {n}(new {n}Clock(1), 4).Try(9)"),
            new("Tries", $"var own = new {n}(new {n}Clock(2)); var said = await own.Try(2);", "said + own.Closed"),
            new("Ticks", $"int sum = 0; await foreach (var tick in new {n}(new {n}Clock(0)).Ticks(4)) sum = sum * 3 + tick;", "sum"),
            new("Works_together", "", "(await made.Together(1, 2, 3)).Sum()"),
            new("Waits_at_once", "", $"{n}.Waited(x)", [0, 3]),
        ]);
    }

    static Topic Sequences(Random random, string n, Func<string, string> other)
    {
        int R(int a, int b) => random.Next(a, b);
        return new Topic(n, $$"""
            public sealed class {{n}}
            {
                private readonly int[] _items;
                public {{n}}(params int[] items) => _items = items.Length == 0 ? [1, 2, 3, {{R(4, 9)}}, {{R(10, 20)}}] : items;

                public IEnumerable<int> Rising()
                {
                    int last = int.MinValue;
                    foreach (var item in _items)
                    {
                        if (item <= last)
                            yield break;
                        yield return item;
                        last = item;
                    }
                }

                public IEnumerable<int> Windows(int size = 2)
                {
                    for (int i = 0; i + size <= _items.Length; i++)
                        yield return _items[i..(i + size)].Sum();
                }

                public int Above(int limit)
                {
                    int factor = {{R(2, 5)}};
                    return _items.Where(i => i > limit).Select(i => i * factor).Sum();
                }

                public string Groups() => string.Join(' ', from item in _items group item by item % 3 into g orderby g.Key select $"{g.Key}={g.Count()}");

                public int Best(Func<int, int>? rank = null)
                {
                    rank ??= i => {{other("i")}};
                    return _items.Max(rank);
                }

                public override string ToString() => string.Join(',', Rising());
            }

            """, x => $"new {n}(1, {x}, 3).Above({R(0, 3)})", n, $"new {n}({R(1, 3)}, {R(4, 6)}, {R(7, 9)}, {R(1, 9)}, {R(10, 30)})",
        [
            new("Rises", "", "made.ToString()"),
            new("Has_windows", "", "made.Windows().Sum()"),
            new("Has_wide_windows", "", "made.Windows(3).Last()"),
            new("Filters", "", "made.Above(x)", [2, 8]),
            new("Groups", "", "made.Groups()"),
            new("Finds_the_best", "", "made.Best()"),
            new("Ranks", "", "made.Best(i => -i)"),
            new("Has_items_of_its_own", "", $"new {n}().Above(0)"),
            new("Takes_numbers", $"var own = new {n}(Suite.Given.Numbers(6));", "own.Windows().Max()"),
        ]);
    }

    static Topic Extensions(Random random, string n, Func<string, string> other)
    {
        int R(int a, int b) => random.Next(a, b);
        return new Topic(n, $$"""
            public static class {{n}}Text
            {
                public static string Shortened{{n}}(this string text, int length = {{R(4, 9)}}, string end = "..") => text.Length <= length ? text : text[..length] + end;
                public static int Vowels{{n}}(this string text) => text.Count(c => c is 'a' or 'e' or 'i' or 'o' or 'u');
                public static IEnumerable<T> Every{{n}}<T>(this IEnumerable<T> items, int step)
                {
                    int i = 0;
                    foreach (var item in items)
                        if (i++ % step == 0)
                            yield return item;
                }
                public static int Squeezed{{n}}(this int x, int by = {{R(2, 6)}}) => x > {{R(50, 99)}} ? x / by : {{other("x")}};
            }

            public sealed class {{n}}
            {
                public required string Title { get; init; }
                public string Body { get; init; } = "no text yet, only {{n.ToLowerInvariant()}}";
                public string Head() => $"{Title.Shortened{{n}}(6),10}|{Body.Shortened{{n}}()}";
                public string Code() => $"{Title.Length:D3}-{Body.Vowels{{n}}():X2}";
                public override string ToString() => Head() + Code();
            }

            """, x => $"({x}).Squeezed{n}()", n, $"new {n} {{ Title = \"A title of {n}\" }}",
        [
            new("Has_a_head", "", "made.Head()"),
            new("Has_a_code", "", "made.Code()"),
            new("Shortens", "", $"\"abcdefghijkl\".Shortened{n}(x)", [2, 30]),
            new("Shortens_with_an_end", "", $"Suite.Given.Word(14).Shortened{n}(end: \"~\")"),
            new("Counts_vowels", "", $"\"a tune of oboes\".Vowels{n}()"),
            new("Takes_every_second", "", $"Enumerable.Range(0, 9).Every{n}(2).Sum()"),
            new("Squeezes", "", $"x.Squeezed{n}()", [5, 500]),
        ]);
    }

    static Topic Units(Random random, string n, Func<string, string> other)
    {
        int R(int a, int b) => random.Next(a, b);
        return new Topic(n, $$"""
            public readonly struct {{n}} : IComparable<{{n}}>, IEquatable<{{n}}>
            {
                private const int PerUnit = {{R(8, 20)}};
                private readonly int _parts;

                public {{n}}(int units, int parts = 0) => _parts = units * PerUnit + parts;
                private {{n}}(long parts) => _parts = (int)parts;

                public int Units => _parts / PerUnit;
                public int Parts => _parts % PerUnit;
                public static {{n}} Zero { get; } = new(0);

                public static {{n}} operator +({{n}} a, {{n}} b) => new((long)a._parts + b._parts);
                public static {{n}} operator -({{n}} a, {{n}} b) => new((long)a._parts - b._parts);
                public static {{n}} operator *({{n}} a, int factor) => new((long)a._parts * factor);
                public static bool operator ==({{n}} a, {{n}} b) => a.Equals(b);
                public static bool operator !=({{n}} a, {{n}} b) => !(a == b);
                public static bool operator <({{n}} a, {{n}} b) => a.CompareTo(b) < 0;
                public static bool operator >({{n}} a, {{n}} b) => a.CompareTo(b) > 0;
                public static implicit operator {{n}}(int units) => new(units);
                public static explicit operator int({{n}} value) => {{other("value._parts")}};

                public int CompareTo({{n}} other) => _parts.CompareTo(other._parts);
                public bool Equals({{n}} other) => _parts == other._parts;
                public override bool Equals(object? other) => other is {{n}} unit && Equals(unit);
                public override int GetHashCode() => _parts * {{R(3, 9)}};
                public override string ToString() => Parts == 0 ? $"{Units}u" : $"{Units}u {Parts}p";
            }

            """, x => $"(int)(new {n}(1, 2) + new {n}(0, {x}))", n, $"new {n}({R(2, 9)}, {R(1, 7)})",
        [
            new("Adds", "", "(made + 2).ToString()"),
            new("Subtracts", "", "(made - made).ToString()"),
            new("Multiplies", "", "(made * x).ToString()", [2, 3]),
            new("Compares", "", $"made > {n}.Zero"),
            new("Orders", "", $"string.Join(' ', new[] {{ made, {n}.Zero, new {n}(1, 1) }}.Order())"),
            new("Is_equal", "", $"new {n}(2) == 2"),
            new("Differs", "", $"new {n}(2, 1) != 2"),
            new("Is_a_number", "", "(int)made"),
            new("Has_a_hash", "", "made.GetHashCode()"),
        ]);
    }

    static Topic Tables(Random random, string n, Func<string, string> other)
    {
        int R(int a, int b) => random.Next(a, b);
        return new Topic(n, $$"""
            [Flags]
            public enum {{n}}Rights
            {
                None = 0,
                Read = 1,
                Write = 2,
                Share = 8,
                All = Read | Write | Share,
            }

            public sealed class {{n}}
            {
                private static readonly Dictionary<string, int> Rates = new() { ["low"] = {{R(1, 5)}}, ["mid"] = {{R(6, 12)}}, ["high"] = {{R(20, 30)}} };
                private static readonly int[] Steps;
                public static readonly string Version = "v" + {{R(1, 9)}};
                private static int s_made;
                private readonly Lazy<int> _sum = new(() => Steps!.Sum() + {{R(1, 9)}});

                static {{n}}()
                {
                    Steps = new int[6];
                    for (int i = 0; i < Steps.Length; i++)
                        Steps[i] = i * {{R(2, 6)}} + 1;
                }

                public {{n}}Rights Rights { get; set; } = {{n}}Rights.Read;
                public static bool WasMade => s_made >= 1;
                public {{n}}() => Interlocked.Increment(ref s_made);

                public int Rate(string name) => Rates.TryGetValue(name, out int rate) ? rate : -1;
                public int Step(int i) => {{other("Steps[Math.Abs(i) % Steps.Length]")}};
                public int Sum => _sum.Value;
                public bool May({{n}}Rights right) => (Rights & right) != 0;
                public void Grant({{n}}Rights right) => Rights |= right;
                public override string ToString() => $"{Version}: {Rights}";
            }

            """, x => $"new {n}().Step({x})", n, $"new {n}()",
        [
            new("Has_rates", "", "made.Rate(\"low\") + 100 * made.Rate(\"mid\") + 10000 * made.Rate(\"high\")"),
            new("Has_no_other_rate", "", "made.Rate(\"none\")"),
            new("Has_steps", "", "made.Step(x)", [0, 3, 8]),
            new("Has_a_sum", "", "made.Sum"),
            new("Has_a_version", "", $"{n}.Version"),
            new("May_read", "", $"made.May({n}Rights.Read)"),
            new("Grants", $"var own = new {n}(); own.Grant({n}Rights.Write);", "own.Rights.ToString()"),
            new("Has_all_rights", "", $"(int){n}Rights.All"),
            new("Was_made", "", $"{n}.WasMade"),
        ]);
    }

    static Topic Closures(Random random, string n, Func<string, string> other)
    {
        int R(int a, int b) => random.Next(a, b);
        return new Topic(n, $$"""
            public sealed class {{n}} : IDisposable
            {
                private readonly List<Func<int, int>> _rules = [];
                private bool _open = true;
                public string Trace { get; private set; } = "";

                public {{n}} Add(Func<int, int> rule)
                {
                    _rules.Add(rule);
                    return this;
                }

                public {{n}} AddLimit(int limit = {{R(10, 60)}}) => Add(x => x > limit ? limit : x);

                public int Apply(int x)
                {
                    if (!_open)
                        throw new ObjectDisposedException("{{n}}");
                    int depth = 0;
                    int Run(int value, int at)
                    {
                        depth++;
                        return at == _rules.Count ? value : Run(_rules[at](value), at + 1);
                    }
                    int result = Run(x, 0);
                    Trace += $"{depth};";
                    return result;
                }

                public static {{n}} Usual(int factor)
                {
                    int calls = 0;
                    var rules = new {{n}}();
                    rules.Add(x => x * factor).Add(x =>
                    {
                        calls++;
                        return {{other("x + calls")}};
                    }).AddLimit();
                    return rules;
                }

                public static int Repeated(int x, int times)
                {
                    static int Next(int value) => value * 2 - {{R(1, 4)}};
                    for (int i = 0; i < times; i++)
                        x = Next(x);
                    return x;
                }

                public void Dispose()
                {
                    _open = false;
                    Trace = "closed";
                }

                public override string ToString() => $"{_rules.Count} rules";
            }

            """, x => $"{n}.Usual({R(2, 4)}).Apply({x})", n, $"{n}.Usual({R(2, 4)})",
        [
            new("Applies", "", $"{n}.Usual(3).Apply(x)", [1, 4, 90]),
            new("Counts_calls", $"var own = {n}.Usual(1); own.Apply(1);", "own.Apply(1)"),
            new("Has_a_limit", "", $"new {n}().AddLimit(x).Apply(40)", [5, 50]),
            new("Traces", $"using var own = new {n}().Add(i => i + 1).Add(i => i - 2); own.Apply(3);", "own.Trace"),
            new("Repeats", "", $"{n}.Repeated(x, 3)", [2, 5]),
            new("Is_closed", $"var own = new {n}(); own.Dispose();", "Suite.Caught.By(() => own.Apply(1)).Length > 9"),
            new("Says_that_it_is_closed", $"var own = new {n}(); own.Dispose();", "own.Trace"),
        ]);
    }

    static Topic Matches(Random random, string n, Func<string, string> other)
    {
        int R(int a, int b) => random.Next(a, b);
        return new Topic(n, $$"""
            public sealed class {{n}}Fault(string text, int code) : Exception(text)
            {
                public int Code => code;
            }

            public static class {{n}}Rules
            {
                public static string Kind(object? value) => value switch
                {
                    null => "nothing",
                    int and < 0 => "negative",
                    int i when i % {{R(3, 6)}} == 0 => "round",
                    int and (1 or 2 or {{R(20, 30)}}) => "small",
                    int => "number",
                    string { Length: > {{R(3, 6)}} } text => text.ToUpperInvariant(),
                    string => "word",
                    int[] and [var first, .., var last] => $"from {first} to {last}",
                    _ => value.GetType().Name,
                };

                public static int Grade(int points)
                {
                    switch (points)
                    {
                        case < {{R(5, 10)}}:
                            return 5;
                        case < {{R(15, 25)}}:
                            return 3;
                        case 77:
                            goto case 78;
                        case 78:
                            return 2;
                        default:
                            return {{other("1")}};
                    }
                }

                public static int Guarded(int x)
                {
                    try
                    {
                        if (x > {{R(10, 20)}})
                            throw new {{n}}Fault("too much", x);
                        return 100 / x;
                    }
                    catch ({{n}}Fault fault) when (fault.Code < {{R(30, 50)}})
                    {
                        return -fault.Code;
                    }
                    catch (DivideByZeroException)
                    {
                        return {{R(500, 900)}};
                    }
                }
            }

            public sealed class {{n}}
            {
                public object? Value { get; init; } = {{R(1, 40)}};
                public override string ToString() => {{n}}Rules.Kind(Value);
            }

            """, x => $"{n}Rules.Grade({x})", n, $"new {n} {{ Value = \"some text\" }}",
        [
            new("Knows_nothing", "", $"{n}Rules.Kind(null)"),
            new("Knows_numbers", "", $"{n}Rules.Kind(x)", [-3, 2, 7, 60]),
            new("Knows_words", "", $"{n}Rules.Kind(\"ab\") + made"),
            new("Knows_lists", "", $"{n}Rules.Kind(Suite.Given.Numbers(4))"),
            new("Knows_others", "", $"{n}Rules.Kind(2.5)"),
            new("Grades", "", $"{n}Rules.Grade(x)", [1, 12, 77, 300]),
            new("Guards", "", $"{n}Rules.Guarded(x)", [0, 4, 25]),
            new("Lets_faults_out", "", $"Suite.Caught.By(() => {n}Rules.Guarded(200))"),
            new("Has_a_value", "", $"new {n}().ToString()"),
        ]);
    }

    static Topic Labels(Random random, string n, Func<string, string> other)
    {
        int R(int a, int b) => random.Next(a, b);
        return new Topic(n, $$"""
            [AttributeUsage(AttributeTargets.Class | AttributeTargets.Property)]
            public sealed class {{n}}LabelAttribute(string text, int order = {{R(1, 9)}}) : Attribute
            {
                public string Text => text;
                public int Order => order;
                public bool Hidden { get; set; }
            }

            [{{n}}Label("the {{n}}", {{R(1, 9)}})]
            public sealed class {{n}}
            {
                [{{n}}Label("name", 2)] public string Name { get; set; } = "{{n.ToLowerInvariant()}}";
                [{{n}}Label("size")] public int Size { get; set; } = {{R(3, 30)}};
                [{{n}}Label("key", 1, Hidden = true)] public int Key => {{other("Size")}};
                public override string ToString() => {{n}}Labels.Show(this);
            }

            public static class {{n}}Labels
            {
                public static string Title(Type type) => Attribute.GetCustomAttribute(type, typeof({{n}}LabelAttribute)) is {{n}}LabelAttribute label ? $"{label.Text} ({label.Order})" : type.Name;

                public static string Show(object value)
                {
                    var parts = new List<string>();
                    foreach (var property in value.GetType().GetProperties().OrderBy(p => p.Name, StringComparer.Ordinal))
                        if (Attribute.GetCustomAttribute(property, typeof({{n}}LabelAttribute)) is {{n}}LabelAttribute { Hidden: false } label)
                            parts.Add($"{label.Order}. {label.Text}={property.GetValue(value)}");
                    return string.Join(", ", parts);
                }
            }

            """, x => $"new {n} {{ Size = {x} }}.Key", n, $"new {n}()",
        [
            new("Has_a_title", "", $"{n}Labels.Title(typeof({n}))"),
            new("Has_no_title", "", $"{n}Labels.Title(typeof(string))"),
            new("Shows_labels", "", "made.ToString()"),
            new("Shows_a_size", "", $"{n}Labels.Show(new {n} {{ Size = x }})", [0, 5]),
            new("Has_a_key", "", "made.Key"),
            new("Has_a_name", "", "made.Name"),
        ]);
    }

    static Topic Steps(Random random, string n, Func<string, string> other)
    {
        int R(int a, int b) => random.Next(a, b);
        return new Topic(n, $$"""
            public abstract class {{n}}Step
            {
                private readonly string _name;
                protected {{n}}Step() => _name = NameOf(GetType().Name.Length > 3);
                protected virtual string NameOf(bool shortly) => shortly ? "step" : "s";
                public int Run(int x)
                {
                    Before(ref x);
                    var result = Work(x);
                    return After(result);
                }
                protected virtual void Before(ref int x) => x += {{R(1, 5)}};
                protected abstract int Work(int x);
                protected virtual int After(int x) => x;
                public override string ToString() => _name;
            }

            public class {{n}}Double : {{n}}Step
            {
                protected override int Work(int x) => x * 2;
                protected override int After(int x) => base.After(x) - {{R(1, 4)}};
            }

            public sealed class {{n}}Careful : {{n}}Double
            {
                protected override string NameOf(bool shortly) => "careful " + base.NameOf(!shortly);
                protected override void Before(ref int x)
                {
                    base.Before(ref x);
                    if (x < 0)
                        x = -x;
                }
                protected override int Work(int x) => {{other("base.Work(x)")}} + {{R(2, 8)}};
            }

            public sealed class {{n}}
            {
                private readonly Queue<{{n}}Step> _steps = new();
                public {{n}}(params {{n}}Step[] steps)
                {
                    foreach (var step in steps)
                        _steps.Enqueue(step);
                }
                public (int Value, int Count) Run(int x)
                {
                    int count = 0;
                    while (_steps.Count > count)
                    {
                        var step = _steps.Dequeue();
                        x = step.Run(x);
                        _steps.Enqueue(step);
                        count++;
                    }
                    return (x, count);
                }
                public static int Once(int x) => new {{n}}(new {{n}}Double(), new {{n}}Careful()).Run(x).Value;
                public override string ToString() => string.Join(" > ", _steps);
            }

            """, x => $"{n}.Once({x})", n, $"new {n}(new {n}Double(), new {n}Careful())",
        [
            new("Doubles", "", $"new {n}Double().Run(x)", [1, 6]),
            new("Is_careful", "", $"new {n}Careful().Run(x)", [-30, 3]),
            new("Runs_all", $"var own = new {n}(new {n}Double(), new {n}Double());", "own.Run(4).Value"),
            new("Counts", "", "made.Run(1).Count"),
            new("Runs_once", "", $"{n}.Once(2)"),
            new("Names_steps", "", "made.ToString()"),
        ]);
    }

    static Topic Generics(Random random, string n, Func<string, string> other)
    {
        int R(int a, int b) => random.Next(a, b);
        return new Topic(n, $$"""
            public abstract class {{n}}<T>
            {
                public abstract T Value { get; }
                public static {{n}}<T> None => new {{n}}None<T>();
                public {{n}}<TOther> Map<TOther>(Func<T, TOther> map) => this is {{n}}None<T> ? {{n}}<TOther>.None : new {{n}}Some<TOther>(map(Value));
                public virtual T Or(T otherwise) => Value;
            }

            public sealed class {{n}}Some<T>(T value) : {{n}}<T>
            {
                public override T Value => value;
                public override string ToString() => $"some {value}";
            }

            public sealed class {{n}}None<T> : {{n}}<T>
            {
                public override T Value => throw new InvalidOperationException("there is none");
                public override T Or(T otherwise) => otherwise;
                public override string ToString() => "none";
            }

            public static class {{n}}Maybe
            {
                public static int Tried = {{R(1, 9)}};
                public static {{n}}<T> Some<T>(T value) => new {{n}}Some<T>(value);
                public static {{n}}<int> Parse(string text, int radix = 10)
                {
                    int value = 0;
                    foreach (char c in text)
                    {
                        if (!char.IsDigit(c) || c - '0' >= radix)
                            return {{n}}<int>.None;
                        value = value * radix + (c - '0');
                    }
                    return Some({{other("value")}});
                }
                public static T Largest<T>(IReadOnlyList<T> items) where T : IComparable<T>
                {
                    var best = items[0];
                    for (int i = 1; i < items.Count; i++)
                        if (items[i].CompareTo(best) > 0)
                            best = items[i];
                    return best;
                }
                public static TNumber Sum<TNumber>(params TNumber[] items) where TNumber : System.Numerics.INumber<TNumber>
                {
                    var sum = TNumber.One;
                    foreach (var item in items)
                        sum += item;
                    return sum;
                }
            }

            """, x => $"{n}Maybe.Some({x}).Map(i => i + {R(1, 5)}).Or(0)", $"{n}<int>", $"{n}Maybe.Parse(\"{R(10, 99)}\")",
        [
            new("Parses", "", $"made.ToString()!"),
            new("Does_not_parse", "", $"{n}Maybe.Parse(\"1x\").ToString()!"),
            new("Has_a_radix", "", $"{n}Maybe.Parse(\"101\", 2).Or(x)", [4, 5]),
            new("Maps", "", "made.Map(i => i + \"!\").Or(\"\")"),
            new("Maps_nothing", "", $"{n}<string>.None.Map(s => s.Length).Or(x)", [3, 4]),
            new("Has_no_value", "", $"Suite.Caught.By(() => {n}<int>.None.Value.ToString())"),
            new("Finds_the_largest", "", $"{n}Maybe.Largest(Suite.Given.Numbers(7))"),
            new("Finds_the_last_word", "", $"{n}Maybe.Largest([\"pear\", \"apple\", \"plum\"])"),
            new("Sums", "", $"{n}Maybe.Sum(1L, 2L, 3L)"),
        ]);
    }
}
