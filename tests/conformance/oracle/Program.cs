using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

// What System.Reflection.Metadata makes of DLLs and their PDBs, line by line, for comparison with
// tests/support/dump_metadata.c, which has the same usage:
//
//     oracle FILE...          the dump of each file
//     oracle --hash FILE...   "<hash> <path>": FNV-1a of each file's dump instead
//
// Numbers are hexadecimal, heap references offsets, coded indexes tokens (0 for a null reference).
bool hashOnly = args.Length > 0 && args[0] == "--hash";
IEnumerable<string> files = args.Skip(hashOnly ? 1 : 0);
if (!files.Any())
{
    Console.Error.WriteLine("usage: oracle [--hash] FILE...");
    return 2;
}
using Stream output = new BufferedStream(Console.OpenStandardOutput(), 1 << 16);
foreach (string file in files)
{
    Sink sink = new(hashOnly ? null : output);
    try
    {
        DumpFile(file, sink);
    }
    catch (Exception e)
    {
        sink.End();
        sink.Text($"oracle failed: {e.Message}").End();
    }
    if (hashOnly)
        output.Write(System.Text.Encoding.UTF8.GetBytes($"{sink.Hash:x16} {file}\n"));
}
return 0;

static void DumpFile(string path, Sink sink)
{
    using PEReader pe = new(new MemoryStream(File.ReadAllBytes(path)));
    if (!IsManaged(pe))
    {
        sink.Text("not managed").End();
        return;
    }
    new ModuleDump(pe, pe.GetMetadataReader(MetadataReaderOptions.None), sink).Write();
    if (pe.TryOpenAssociatedPortablePdb(Path.GetFullPath(path), Open, out MetadataReaderProvider? pdb, out _))
        using (pdb)
            new PdbDump(pdb!.GetMetadataReader(), sink).Write();
}

static bool IsManaged(PEReader pe)
{
    try
    {
        return pe.HasMetadata;
    }
    catch (BadImageFormatException)
    {
        return false;
    }
}

static Stream? Open(string path) => File.Exists(path) ? File.OpenRead(path) : null;
