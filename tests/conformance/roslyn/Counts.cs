// What a rewritten assembly counts with: a part of it. COUNTS is a folder; the counts live in a file there that is mapped into
// memory, so that no end of the process loses them. The first namespace is emitted last: whoever searches the assembly's types comes
// to it behind all others.
namespace __CountsINDEX
{
    internal static unsafe class Counts
    {
        static readonly long* s_counts = Map();
        [System.ThreadStatic] static bool t_jumped;

        static long* Map()
        {
            string folder = System.Environment.GetEnvironmentVariable("COUNTS");
            if (folder == null)
                return (long*)System.Runtime.InteropServices.Marshal.AllocHGlobal(8 * SIZE);
            string file = System.IO.Path.Combine(folder, "NAME." + System.Diagnostics.Process.GetCurrentProcess().Id);
            var stream = new System.IO.FileStream(file, System.IO.FileMode.OpenOrCreate, System.IO.FileAccess.ReadWrite,
                System.IO.FileShare.ReadWrite);
            stream.SetLength(8 * SIZE);
            var mapped = System.IO.MemoryMappedFiles.MemoryMappedFile.CreateFromFile(stream, null, 8 * SIZE,
                System.IO.MemoryMappedFiles.MemoryMappedFileAccess.ReadWrite, System.IO.HandleInheritability.None, false);
            byte* start = null;
            mapped.CreateViewAccessor().SafeMemoryMappedViewHandle.AcquirePointer(ref start);
            return (long*)start;
        }

        /// <summary>Counter n, in front of what it counts.</summary>
        internal static bool S(int n)
        {
            System.Threading.Interlocked.Increment(ref s_counts[n]);
            return true;
        }

        /// <summary>Arm n of a switch, unless `goto case` led there.</summary>
        internal static bool A(int n)
        {
            if (!t_jumped)
                S(n);
            t_jumped = false;
            return true;
        }

        internal static void Jump() => t_jumped = true;

        internal static X V<X>(bool begun, X value) => value;

        /// <summary>Counter n, behind the value.</summary>
        internal static X E<X>(X value, int n)
        {
            S(n);
            return value;
        }

        /// <summary>n counts values, n + 1 null.</summary>
        internal static X NullINDEX<X>(this X value, int n)
        {
            S(value == null ? n + 1 : n);
            return value;
        }
    }
}
