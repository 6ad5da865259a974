// Every form of a name that C# has.
namespace N.M
{
    class Vec<T> where T : struct
    {
        public T X;
        public Vec(T x) { X = x; }
        static Vec() { Console.Write(""); }
        ~Vec() { Console.Write(""); }
        public static Vec<T> operator +(Vec<T> a) => a;
        public static Vec<T> operator -(Vec<T> a) => a;
        public static Vec<T> operator checked -(Vec<T> a) => a;
        public static Vec<T> operator !(Vec<T> a) => a;
        public static Vec<T> operator ~(Vec<T> a) => a;
        public static Vec<T> operator ++(Vec<T> a) => a;
        public static Vec<T> operator --(Vec<T> a) => a;
        public static bool operator true(Vec<T> a) => true;
        public static bool operator false(Vec<T> a) => false;
        public static Vec<T> operator +(Vec<T> a, Vec<T> b) => a;
        public static Vec<T> operator checked +(Vec<T> a, Vec<T> b) => a;
        public static Vec<T> operator -(Vec<T> a, int b) => a;
        public static Vec<T> operator *(Vec<T> a, int b) => a;
        public static Vec<T> operator /(Vec<T> a, int b) => a;
        public static Vec<T> operator %(Vec<T> a, int b) => a;
        public static Vec<T> operator &(Vec<T> a, int b) => a;
        public static Vec<T> operator |(Vec<T> a, int b) => a;
        public static Vec<T> operator ^(Vec<T> a, int b) => a;
        public static Vec<T> operator <<(Vec<T> a, int b) => a;
        public static Vec<T> operator >>(Vec<T> a, int b) => a;
        public static Vec<T> operator >>>(Vec<T> a, int b) => a;
        public static bool operator ==(Vec<T> a, Vec<T> b) => true;
        public static bool operator !=(Vec<T> a, Vec<T> b) => true;
        public static bool operator <(Vec<T> a, Vec<T> b) => true;
        public static bool operator >(Vec<T> a, Vec<T> b) => true;
        public static bool operator <=(Vec<T> a, Vec<T> b) => true;
        public static bool operator >=(Vec<T> a, Vec<T> b) => true;
        public static explicit operator int(Vec<T> a) => 1;
        public static explicit operator long(Vec<T> a) => 1;
        public static explicit operator checked long(Vec<T> a) => 1;
        public static implicit operator T(Vec<T> a) => a.X;
        public static implicit operator List<T[]>(Vec<T> a) => null;
        public void operator +=(int b) { }
        public void operator checked +=(int b) { }
        public void operator ++() { }
        public void operator >>>=(int b) { }
        public T this[int i] { get => X; set => X = value; }
        public T this[string i, int[][,] z] { get => X; }
        public int P { get => 1; set { } }
        public int Q { get => 1; init { } }
        public int R { get; set; }
        public ref int S => throw null;
        public event EventHandler E { add { } remove { } }
        public event EventHandler F;
        public U Map<U, V>(T a, Func<T, U> f, ref V v, out int[] z, List<Dictionary<string, U>> d) { z = null; return f(a); }
        public struct Enumerator
        {
            public int Cur<W>(W q, T t) => 0;
            public class Deep<X>
            {
                public void Go((int a, string b) t, int? n, dynamic y, nint z, Dictionary<string, T>.Enumerator e,
                    Vec<int>.Enumerator.Deep<X>[] r, Guid?[,] g, decimal d, (int, (T, X)?)[] i) { }
                public void Long((int, int, int, int, int, int, int, int, X) a, (int, int, int, int, int, int, int) b,
                    (int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int) c) { }
            }
        }
        public unsafe void Ptr(int* p, void** q, delegate*<int, void> f, delegate* unmanaged<ref int, T[]> g, in int r, ref readonly long z, params object[] o) { }
        public void Numbers(bool a, char b, sbyte c, byte d, short e, ushort f, uint g, long h, ulong i, float j, double k, nuint l, TypedReference m) { }
        public void Finalize(int x) { }
        public void get_Foo() { }
        public void op_Addition() { }
        public int[,][] Jagged(int[][,,][] a) => null;
        public override bool Equals(object o) => true;
        public override int GetHashCode() => 0;
    }
    interface I { void F(); int this[string s] { get; } event Action E; }
    interface G<A, B> { void F(); int P { get; } void H<C>(A a, B b, C c); static abstract A operator +(G<A, B> a, A b); }
    class Outer
    {
        public interface J<T> { void Z(); }
        public class Inner { public void K() { } public class Inner2 { public void K() => ((Action)(() => Console.Write(1)))(); } }
    }
    class C : I, IComparable<C>, Outer.J<(int a, string b)>, G<Dictionary<int, C[]>, int?>
    {
        void I.F() { }
        int I.this[string s] => 2;
        event Action I.E { add { } remove { } }
        int IComparable<C>.CompareTo(C o) => 0;
        void Outer.J<(int a, string b)>.Z() { }
        void G<Dictionary<int, C[]>, int?>.F() { }
        int G<Dictionary<int, C[]>, int?>.P => 0;
        void G<Dictionary<int, C[]>, int?>.H<D>(Dictionary<int, C[]> a, int? b, D c) { }
        static Dictionary<int, C[]> G<Dictionary<int, C[]>, int?>.operator +(G<Dictionary<int, C[]>, int?> a, Dictionary<int, C[]> b) => b;
    }
    class Named { [System.Runtime.CompilerServices.IndexerName("At")] public int this[int i] { get => i; } }
    record R(int A);
    record struct S<T>(T A, List<T> B);
    delegate void D<T>(T t);
    static class X
    {
        public static void Ext(this string s) { }
        public static async Task<int> Wait<T>(T t) { await Task.Yield(); return 1; }
        public static IEnumerable<T> Many<T>(T t) { yield return t; }
    }
    struct Point { public readonly int Sum(in Point other) => 1; public static Point operator +(Point a, in Point b) => a; }
    enum Kind { None }
}
class NoNamespace { public void M(N.M.Kind k, NoNamespace[] n) { } }
