using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

/// <summary>What is written by hand where coverage needs a probe: place N was reached.</summary>
internal interface IByHand
{
    static abstract void At(int place);
}

internal readonly unsafe struct Count : IByHand
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void At(int place) => *(long*)(ByHand.Address + (8 * place)) += 1;
}

internal readonly unsafe struct Mark : IByHand
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void At(int place) => *(byte*)(ByHand.Address + place) = 1;
}

/// <summary>The same, at addresses of its own, for another thread.</summary>
internal readonly struct Apart<T> : IByHand
    where T : struct, IByHand
{
    private const int Places = 1024; // no line of memory is shared

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void At(int place) => T.At(Places + place);
}

/// <summary>A page for what is written by hand, at an address that is a constant in the code, as that of a probe is.</summary>
internal static class ByHand
{
    public const long Address = 0x6000_0000; // below 2 GiB, as an instruction takes it without a register

    private const int PageSize = 65_536; // the largest that there is
    private const int Readable = 1, Writable = 2;
    private const int Private = 0x2, Anonymous = 0x20, FixedNoReplace = 0x10_0000;

    private static bool s_mapped;

    /// <summary>A loop that needs the page.</summary>
    public static Func<long> Mapped(Func<long> run) => () =>
    {
        Map();
        return run();
    };

    private static void Map()
    {
        if (s_mapped)
        {
            return;
        }

        nint page = Mmap((nint)Address, PageSize, Readable | Writable, Private | Anonymous | FixedNoReplace, -1, 0);
        if (page != (nint)Address)
        {
            throw new InvalidOperationException($"nothing can be mapped at {Address:x}: {Marshal.GetLastPInvokeErrorMessage()}");
        }

        s_mapped = true;
    }

    [DllImport("libc", EntryPoint = "mmap", SetLastError = true)]
    private static extern nint Mmap(nint address, nint length, int protection, int flags, int file, nint offset);
}
