"""Programs that the bench writes itself, because they are large or because only their number matters. Each is compiled once."""
import os

import place

PER_CLASS = 100       # methods
PER_FILE = 10         # classes
PER_ASSEMBLY = 100_000  # methods

HELLO = 'System.Console.WriteLine("Hello, World!");'

# Of several threads that all live at once each runs some code; so many are started as the first argument says.
THREADS = """
using System;
using System.Linq;
using System.Threading;

static class Program
{
    static int Work(int seed)
    {
        int sum = 0;
        for (int i = 0; i < 20000; i++)
        {
            if ((i + seed) % 3 == 0) sum += i;
            else sum ^= seed;
        }
        return sum;
    }

    static void Main(string[] args)
    {
        int count = int.Parse(args[0]);
        using var all = new Barrier(count);
        var threads = Enumerable.Range(0, count).Select(seed => new Thread(() => { all.SignalAndWait(); Work(seed); all.SignalAndWait(); }))
            .ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
    }
}
"""

# What no report can do without: every byte of the code and every sequence point of the libraries in a folder is read, with the names of
# methods, by System.Reflection.Metadata; their bytes are hashed; and as many bytes are written to files as follow.
READING = """
using System;
using System.Collections.Immutable;
using System.IO;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Security.Cryptography;

static class Program
{
    static long sum;

    static ImmutableArray<byte> Hashed(string path)
    {
        byte[] bytes = File.ReadAllBytes(path);
        sum += SHA256.HashData(bytes)[0];
        return System.Runtime.InteropServices.ImmutableCollectionsMarshal.AsImmutableArray(bytes);
    }

    static void Read(string path)
    {
        using var image = new PEReader(Hashed(path));
        using var symbols = MetadataReaderProvider.FromPortablePdbImage(Hashed(Path.ChangeExtension(path, ".pdb")));
        MetadataReader metadata = image.GetMetadataReader(), points = symbols.GetMetadataReader();
        foreach (MethodDefinitionHandle handle in metadata.MethodDefinitions)
        {
            MethodDefinition method = metadata.GetMethodDefinition(handle);
            sum += metadata.GetString(method.Name).Length;
            if (method.RelativeVirtualAddress == 0)
                continue;
            BlobReader code = image.GetMethodBody(method.RelativeVirtualAddress).GetILReader();
            while (code.RemainingBytes != 0)
                sum += code.ReadByte();
            foreach (SequencePoint point in points.GetMethodDebugInformation(handle).GetSequencePoints())
                sum += point.StartLine;
        }
    }

    static void Write(string path, long length)
    {
        byte[] block = new byte[1 << 16];
        using var file = new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.None, 0);
        for (; length > 0; length -= block.Length)
            file.Write(block, 0, (int)Math.Min(length, block.Length));
    }

    static void Main(string[] args)
    {
        foreach (string path in Directory.GetFiles(args[0], "Library*.dll"))
            Read(path);
        for (int i = 1; i + 1 < args.Length; i += 2)
            Write(args[i], long.Parse(args[i + 1]));
        Console.WriteLine(sum);
    }
}
"""


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def program(name, configuration, source, *options):
    """The path of NAME.dll of one source file, compiled if that has changed."""
    folder = place.folder("programs", f"{name}.{configuration}")
    file, made = os.path.join(folder, f"{name}.cs"), os.path.join(folder, f"{name}.dll")
    if os.path.exists(made) and os.path.exists(file):
        with open(file, encoding="utf-8") as known:
            if known.read() == source:
                return made
        os.remove(made)
    write(file, source)
    place.compile_sources(made, [file], configuration, *options)
    return made


# --- many methods -----------------------------------------------------------------------------------------------------

METHOD = """
    public static int M%d(int x)
    {
        if (x > %d) return x - 3;
        return x + %d;
    }
"""

CLASS = """public static class %s
{%s
    public static int Run(int x)
    {
%s
        return x;
    }
}
"""


def calls(targets):
    return "\n".join(f"        x = {target}(x);" for target in targets)


def method_class(name, first):
    """PER_CLASS methods with a condition each, and one that calls them all."""
    numbers = range(first, first + PER_CLASS)
    return CLASS % (name, "".join(METHOD % (n, n % 7, n % 11) for n in numbers), calls(f"M{n}" for n in numbers))


def library(folder, name, first, count):
    """An assembly of `count` methods."""
    classes = [(f"C{number}", first + number * PER_CLASS) for number in range(count // PER_CLASS)]
    files = {"All.cs": [CLASS % ("All", "", calls(f"{one}.Run" for one, _ in classes))]}
    for start in range(0, len(classes), PER_FILE):
        files[f"Part{start // PER_FILE}.cs"] = [method_class(*one) for one in classes[start:start + PER_FILE]]
    for file, parts in files.items():
        write(os.path.join(folder, name, file), f"namespace {name};\n\n" + "\n".join(parts))
    made = os.path.join(folder, f"{name}.dll")
    place.compile_sources(made, [os.path.join(folder, name, file) for file in files], "Debug", "-target:library")
    return made


def methods(count):
    """The folder and the program of `count` methods, each of which it calls once; a multiple of PER_CLASS."""
    folder = place.folder("programs", f"methods-{count}")
    made = os.path.join(folder, "Methods.dll")
    if not os.path.exists(made):
        libraries = [library(folder, f"Library{number}", first, min(PER_ASSEMBLY, count - first))
                     for number, first in enumerate(range(0, count, PER_ASSEMBLY))]
        path = os.path.join(folder, "Main.cs")
        all_calls = calls(f"Library{number}.All.Run" for number in range(len(libraries)))
        write(path, f"int x = args.Length;\n{all_calls}\nSystem.Console.WriteLine(x);\n")
        place.compile_sources(made, [path], "Debug", *(f"-r:{library}" for library in libraries))
    return folder, ["dotnet", made]


# --- many modules -----------------------------------------------------------------------------------------------------

# Loads all assemblies of the folder that the first argument names, and calls each on four threads that live at once.
LOAD_ALL = """
using System;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Threading;

static class Program
{
    static void Main(string[] args)
    {
        var runs = Directory.GetFiles(args[0], "Module*.dll").Order().Select(file => Assembly.LoadFrom(file).GetTypes()
            .First(type => type.Name == "C0").GetMethod("Run")!.CreateDelegate<Func<int, int>>()).ToList();
        using var all = new Barrier(4);
        var threads = Enumerable.Range(0, 4).Select(seed => new Thread(() =>
        {
            all.SignalAndWait();
            runs.ForEach(run => run(seed));
            all.SignalAndWait();
        })).ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
    }
}
"""


def modules(count, processes):
    """The folder of `count` assemblies of PER_CLASS methods, and a command that loads them in so many processes at once."""
    folder = place.folder("programs", f"modules-{count}")
    for number in range(count):
        name = f"Module{number:03}"
        made = os.path.join(folder, f"{name}.dll")
        if not os.path.exists(made):
            place.say(f"compiling {name} of {count}")
            source = os.path.join(folder, f"{name}.cs")
            write(source, f"namespace {name};\n\n{method_class('C0', 0)}")
            place.compile_sources(made, [source], "Debug", "-target:library")
    loader = program("LoadAll", "Release", LOAD_ALL)
    return folder, ["sh", "-c", 'for i in $(seq "$0"); do dotnet "$1" "$2" & done; wait', str(processes), loader, folder]
