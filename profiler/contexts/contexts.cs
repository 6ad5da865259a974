// contexts.cs - the managed half of contexts.h: an owner flows as an AsyncLocal does, through awaits,
// tasks, timers and thread pools. Whenever the runtime switches a thread to a flow with another
// owner, `library->switchTo` hears of it.
//
// `make owners` compiles it to contexts.dll, which the library contains (contexts.c). The first body
// of a test that runs starts it (rewriter/test_hook.h). It is an assembly with a file of its own
// because nothing may be added to the target's: a debugger would ask for what it lacks.
using System;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

[DebuggerNonUserCode]
internal static unsafe class Owners
{
    // How a test ended, as in session_format.h.
    private const int HitsThrew = 0, HitsReturned = 1, HitsUnknown = 2;

    // As in contexts.h: struct context_calls.
#pragma warning disable CS0649 // the library writes them
    private struct Library
    {
        public delegate* unmanaged[Cdecl]<int, char*, int, long> entered;
        public delegate* unmanaged[Cdecl]<long, int, void> ended;
        public delegate* unmanaged[Cdecl]<long, void> switchTo;
        public IntPtr enter, leave, free;
    }
#pragma warning restore CS0649

    private delegate void Enter(IntPtr self, int site);
    private delegate void Leave(long owner, int how, IntPtr result, long previous);
    private delegate void Free(IntPtr handle);

    private static Library* library;
    private static readonly AsyncLocal<object> current = new AsyncLocal<object>(Switched);

    // They live as long as the process, as the library may call them that long.
    private static readonly Enter enter = OnEnter;
    private static readonly Leave leave = OnLeave;
    private static readonly Free free = OnFree;

    // The argument is the address of a Library, whose last three the library waits for.
    private static void Main(string[] arguments)
    {
        library = (Library*)ulong.Parse(arguments[0], NumberStyles.HexNumber, CultureInfo.InvariantCulture);
        library->free = Marshal.GetFunctionPointerForDelegate(free);
        library->leave = Marshal.GetFunctionPointerForDelegate(leave);
        Volatile.Write(ref library->enter, Marshal.GetFunctionPointerForDelegate(enter));
    }

    private static void Switched(AsyncLocalValueChangedArgs<object> change)
    {
        library->switchTo(change.CurrentValue is long owner ? owner : 0);
    }

    // `self` is the address of the object whose method begins, or null.
    private static void OnEnter(IntPtr self, int site)
    {
        try
        {
            string type = self == IntPtr.Zero ? null : (*(object*)self)?.GetType().FullName;
            fixed (char* name = type ?? "")
            {
                long owner = library->entered(site, name, type?.Length ?? 0);
                if (owner != 0)
                    current.Value = owner;
            }
        }
        catch (OutOfMemoryException)
        {
            // The library sees that the flow is still what it was.
        }
    }

    // `result` is a handle to what the method returns, or null.
    private static void OnLeave(long owner, int how, IntPtr result, long previous)
    {
        object returned = result == IntPtr.Zero ? null : GCHandle.FromIntPtr(result).Target;
        try
        {
            if (!(returned is Task task))
                library->ended(owner, how);
            else if (task.IsCompleted)
                Finished(task, owner);
            else
                task.ContinueWith(Finished, owner, CancellationToken.None,
                                  TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
            current.Value = previous == 0 ? null : (object)previous;
        }
        catch (OutOfMemoryException)
        {
            library->ended(owner, HitsUnknown);
        }
    }

    private static void Finished(Task task, object owner)
    {
        library->ended((long)owner, task.IsCompletedSuccessfully ? HitsReturned : HitsThrew);
    }

    private static void OnFree(IntPtr handle)
    {
        GCHandle.FromIntPtr(handle).Free();
    }
}
