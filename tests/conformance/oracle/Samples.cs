using System;
using System.Collections.Generic;
using System.Threading.Tasks;

#pragma warning disable CS0649 // fields that nothing assigns

namespace Samples;

// None of this runs: it is here for the metadata and symbols that it compiles to. The oracle reads its own DLL.

/// Points in two documents, hidden points, and points that go backwards.
static class Documents
{
    public static int Both(int a)
    {
        int b = a + 1;
#line 100 "Sink.cs"
        b *= 2;
#line hidden
        b -= 3;
#line 7 "TypeNames.cs"
        b ^= a;
#line default
        return b;
    }

    public static string Backwards(bool first)
    {
#line 500
        string text = first ? "one" :
                              "two";
#line 3
        return text + "three"
            + "four";
#line default
    }
}

static class StateMachines
{
    public static IEnumerable<int> Iterate(int count)
    {
        for (int i = 0; i < count; i++)
            yield return i;
    }

    public static async Task<int> Wait(Task<int> first, Task second)
    {
        try
        {
            int value = await first;
            await second;
            return value;
        }
        catch (InvalidOperationException) when (first.IsCompleted)
        {
            return -1;
        }
    }

    public static async void Forget(Task task) => await task;

    public static async IAsyncEnumerable<int> Both(Task<int> task)
    {
        yield return await task;
    }
}

/// Signatures of every shape that C# can write.
unsafe class Shapes<T, TOther> where T : class, new() where TOther : unmanaged, IComparable<TOther>
{
    public const string Text = "text";
    public volatile int Volatile;
    public int[,] Matrix = new int[2, 2];
    public int[][,,] Jagged = [];
    public delegate*<int, ref string, void> Managed;
    public delegate* unmanaged[Cdecl, SuppressGCTransition]<byte*, long> Unmanaged;
    public Dictionary<string, List<(T, TOther?[])>>.Enumerator Nested;

    public class Inner<TInner>
    {
        public class Deep
        {
            public TInner? Value;
        }
    }

    public event EventHandler<EventArgs>? Happened;

    public T? this[in int index, params TOther[] rest] => default;

    public ref readonly TOther Generic<TMethod>(ref TMethod a, out TOther b, Inner<TMethod>.Deep deep)
    {
        b = default;
        Happened?.Invoke(this, EventArgs.Empty);
        return ref System.Runtime.CompilerServices.Unsafe.NullRef<TOther>();
    }

    public static implicit operator Shapes<T, TOther>(int number) => new();

    public static explicit operator Shapes<T, TOther>(long number) => new();
}

/// Call sites with more arguments than the method declares.
static unsafe class VariableArguments
{
    public static void Variable(__arglist)
    {
    }

    public static void CallVariable(TypedReference reference)
    {
        const decimal local = 1.5m;
        const string other = "text!";
        Variable(__arglist(1, other, local, 2.5f));
        fixed (char* text = other)
            Variable(__arglist(new IntPtr(text)));
    }
}

struct Packed
{
    [System.Runtime.InteropServices.DllImport("nowhere", EntryPoint = "there", SetLastError = true)]
    public static extern int Import([System.Runtime.InteropServices.MarshalAs(
        System.Runtime.InteropServices.UnmanagedType.LPWStr)] string text, int number = 42);
}

[System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Explicit, Pack = 2, Size = 12)]
struct Overlaid
{
    [System.Runtime.InteropServices.FieldOffset(0)]
    public int Whole;

    [System.Runtime.InteropServices.FieldOffset(2)]
    public short Half;

    public static ReadOnlySpan<byte> Bytes => [1, 2, 3, 4, 5, 6, 7, 8, 9];

    // Lone surrogates and characters outside the basic plane, in #US.
    public static string[] Texts => ["\uD800", "a\uDC00b", "\U0001F600", "zeile\nzwei", ""];
}
