// C# 15: unions, closed classes, labelled break and continue, collection arguments, extension indexers. Lines are those of Debug builds.
public record class Cat(string Name, int Age);
public record class Dog(string Name, bool Barks);
public record class Bird(double Wing);
public union Pet(Cat, Dog, Bird);
public union Num(int, string, bool);
public union Opt<T>(Some<T>, None) where T : notnull;
public record struct Some<T>(T Value);
public record struct None;
public union Own(int, string)
{
    public int Kind => this switch { int => 1, string => 2 };       // cov: hits=2 branches=2/2
    public string Show()
    {
        if (this is int n)                                          // cov: hits=2 branches=2/2
            return n.ToString();                                    // cov: hits=1
        return "s";                                                 // cov: hits=1
    }
    public static Own Of(bool b) => b ? new Own(1) : new Own("a");  // cov: hits=2 branches=2/2
}
public closed class Shape;
public class Circle(double r) : Shape { public double R => r; }
public closed class Poly : Shape;
public class Square(double s) : Poly { public double S => s; }
public class Tri : Poly;                                            // cov: none
public closed record Gate;
public sealed record Open(int N) : Gate;
public sealed record Shut : Gate;
public class Bag { public int[] V = [1, 2]; } // cov: hits=2
static class Ext
{
    extension(List<int> l)
    {
        public int this[string s]
        {
            get
            {
                if (s == "first")                                   // cov: hits=2 branches=2/2
                    return l[0];                                    // cov: hits=1
                return l[^1];                                       // cov: hits=1
            }
            set
            {
                if (value > 0)                                      // cov: hits=2 branches=2/2
                    l.Add(value);                                   // cov: hits=1
            }
        }
    }
    extension(Bag a) { public int this[Index i, int d] => d > 0 ? a.V[i] : a.V[0]; } // cov: hits=2 branches=2/2
}
class P
{
    static string Stmt(Pet p)
    {
        switch (p)                                                  // cov: hits=5 branches=4/5
        {
            case Cat { Age: > 10 }:
                return "old";                                       // cov: hits=1
            case Cat c:
                return c.Name;                                      // cov: hits=1
            case Dog:
                return "dog";                                       // cov: hits=1
            case Bird b when b.Wing > 5:                            // cov: hits=2 branches=2/2
                return "big";                                       // cov: hits=1
            case Bird:
                return "bird";                                      // cov: hits=1
        }
        return "none";                                              // cov: hits=0
    }
    static string Expr(Pet p) => p switch                           // cov: hits=4 branches=3/4
    {                                                               // cov: hits=4
        Cat { Age: > 10 } c => "old " + c.Name,                     // cov: hits=1
        Cat c => c.Name,                                            // cov: hits=1
        Dog { Barks: true } or Bird => "loud",                      // cov: hits=2
        Dog d => d.Name,                                            // cov: hits=0
    };                                                              // cov: hits=4
    static int Number(Num n) => n switch { int i => i, string s => s.Length, bool b => b ? 1 : 0 }; // cov: hits=3 branches=4/5
    static string Gen<T>(Opt<T> o) where T : notnull => o switch    // cov: hits=3 branches=2/2
    {                                                               // cov: hits=3
        Some<T> s => s.Value.ToString()!,                           // cov: hits=2
        None => "none",                                             // cov: hits=1
    };                                                              // cov: hits=3
    static double Area(Shape s) => s switch                         // cov: hits=3 branches=3/3
    {                                                               // cov: hits=3
        Circle c => c.R,                                            // cov: hits=1
        Square q => q.S,                                            // cov: hits=1
        Tri => 0,                                                   // cov: hits=1
    };                                                              // cov: hits=3
    static int GateOf(Gate g)
    {
        switch (g)                                                  // cov: hits=2 branches=2/3
        {
            case Open { N: var n }:
                return n;                                           // cov: hits=1
            case Shut:
                return 0;                                           // cov: hits=1
        }
        return -1;                                                  // cov: hits=0
    }
    static bool Is(Pet p) => p is Cat or Bird;                      // cov: hits=3 branches=4/4
    static bool Both(Pet p, Num n) => (p, n) is (Cat, int);         // cov: hits=2 branches=3/4
    static int If(Pet p)
    {
        if (p is Dog { Barks: false } d && d.Name != "x")           // cov: hits=3 branches=5/6
            return 1;                                               // cov: hits=1
        return 2;                                                   // cov: hits=2
    }
    static bool Null(Pet? p) => p is null;                          // cov: hits=2 branches=3/4
    static int Labels(int n)
    {
        int s = 0;                                                  // cov: hits=1
        outer: for (int i = 0; i < n; i++)                          // cov: hits=4 branches=2/2
        {
            for (int j = 0; j < n; j++)                             // cov: hits=6 branches=1/2
            {
                if (j == i)                                         // cov: hits=6 branches=2/2
                    continue outer;                                 // cov: hits=3
                if (j > 2)                                          // cov: hits=3 branches=1/2
                    break outer;                                    // cov: hits=0
                s += j;                                             // cov: hits=3
            }
            s += 100;                                               // cov: hits=0
        }
        return s;                                                   // cov: hits=1
    }
    static int Labels2(int[] xs)
    {
        int s = 0;                                                  // cov: hits=1
        all: foreach (var x in xs)                                  // cov: hits=4 branches=1/2
        {
            loop: while (true)
            {
                switch (x)                                          // cov: hits=4 branches=3/4
                {
                    case 1: continue all;                           // cov: hits=1
                    case 2: break loop;                             // cov: hits=2
                    case 3: break all;                              // cov: hits=1
                    default: s++; break;                            // cov: hits=0
                }
                s += 10;                                            // cov: hits=0
            }
            s += 2;                                                 // cov: hits=2
        }
        return s;                                                   // cov: hits=1
    }
    static async Task<int> LabelsAsync(int n)
    {
        int s = 0;                                                  // cov: hits=1
        outer: do
        {
            await foreach (var i in Count(3))                       // cov: hits=6 branches=1/2
            {
                if (i == 2)                                         // cov: hits=6 branches=2/2
                    continue outer;                                 // cov: hits=2
                s += i;                                             // cov: hits=4
            }
            s += 1000;                                              // cov: hits=0
        } while (s < n);                                            // cov: hits=2 branches=2/2
        return s;                                                   // cov: hits=1
    }
    static async IAsyncEnumerable<int> Count(int n) { for (int i = 0; i < n; i++) { await Task.Yield(); yield return i; } }
    static int With(bool b)
    {
        List<int> xs = [with(capacity: b ? 10 : 5), 1, 2, .. b ? (int[])[3] : []]; // cov: hits=2 branches=4/4
        HashSet<string> hs = [with(b ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal), "a", "A"]; // cov: hits=2 branches=2/2
        return xs.Count + hs.Count;                                 // cov: hits=2
    }
    static async Task<int> AsyncPet(Task<Pet> t) => await t switch  // cov: hits=2 branches=2/3
    {                                                               // cov: hits=2
        Cat c => c.Age,                                             // cov: hits=1
        Dog d when await Yes(d.Barks) => 1,                         // cov: hits=1 branches=1/2
        _ => 2                                                      // cov: hits=0
    };                                                              // cov: hits=2
    static async Task<bool> Yes(bool b) { await Task.Yield(); return b; } // cov: hits=1
    static async Task Main()
    {
        Own.Of(true).Show(); Own.Of(false).Show();                  // cov: hits=1
        _ = new Own(1).Kind + new Own("q").Kind;                    // cov: hits=1
        Stmt(new Cat("a", 11)); Stmt(new Cat("a", 1)); Stmt(new Dog("d", true)); Stmt(new Bird(6)); Stmt(new Bird(1)); // cov: hits=1
        Expr(new Cat("a", 11)); Expr(new Cat("a", 1)); Expr(new Dog("d", true)); Expr(new Bird(6)); // cov: hits=1
        Number(1); Number("abc"); Number(true);                     // cov: hits=1
        Gen<int>(new Some<int>(1)); Gen<string>(new Some<string>("a")); Gen<int>(new None()); // cov: hits=1
        Area(new Circle(1)); Area(new Square(1)); Area(new Tri());  // cov: hits=1
        GateOf(new Open(1)); GateOf(new Shut());                    // cov: hits=1
        Is(new Cat("", 1)); Is(new Bird(1)); Is(new Dog("", true)); // cov: hits=1
        Both(new Cat("", 1), 1); Both(new Dog("", true), 1);        // cov: hits=1
        If(new Dog("y", false)); If(new Dog("y", true)); If(new Cat("", 1)); // cov: hits=1
        Null(new Cat("", 1)); Null(null);                           // cov: hits=1
        var l = new List<int> { 1, 2 };                             // cov: hits=1
        _ = l["first"] + l["last"]; l["x"] = 5; l["x"] = -1;        // cov: hits=1
        _ = new Bag()[^1, 1] + new Bag()[^1, 0];                    // cov: hits=1
        Console.WriteLine(Labels(3) + " " + Labels2([1, 2, 2, 3, 9]) + " " + await LabelsAsync(2) + " " + With(true) + With(false)); // cov: hits=1
        await AsyncPet(Task.FromResult<Pet>(new Cat("", 2))); await AsyncPet(Task.FromResult<Pet>(new Dog("", true))); // cov: hits=1
    }
}
