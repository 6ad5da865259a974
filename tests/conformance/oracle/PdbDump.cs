using System;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using static System.Reflection.Metadata.Ecma335.MetadataTokens;

/// The facts of a portable PDB, in the order of tests/support/dump_metadata.c.
sealed unsafe class PdbDump
{
    static readonly Guid SourceLink = new("CC110556-A091-4D38-9FEC-25AB9A351A6A");
    static readonly Guid EmbeddedSource = new("0E8A571B-6926-466E-B4AD-8AB04611F5FE");

    readonly MetadataReader md;
    readonly Sink sink;

    public PdbDump(MetadataReader md, Sink sink)
    {
        this.md = md;
        this.sink = sink;
    }

    public void Write()
    {
        DebugMetadataHeader header = md.DebugMetadataHeader!;
        sink.Text("pdb").Bytes(header.Id.AsSpan()).Hex(ModuleDump.Token(header.EntryPoint))
            .HashOf(new ReadOnlySpan<byte>(md.MetadataPointer, md.MetadataLength))
            .HashOf(CustomInfo(System.Reflection.Metadata.EntityHandle.ModuleDefinition, SourceLink) ?? []).End();
        ModuleDump.Heaps(md, sink, (int)TableIndex.Document);
        Documents();
        SequencePoints();
        Scopes();
    }

    byte[]? CustomInfo(EntityHandle parent, Guid kind)
    {
        foreach (CustomDebugInformationHandle handle in md.GetCustomDebugInformation(parent))
        {
            CustomDebugInformation info = md.GetCustomDebugInformation(handle);
            if (md.GetGuid(info.Kind) == kind)
                return md.GetBlobBytes(info.Value);
        }
        return null;
    }

    static byte[] Inflate(byte[] blob)
    {
        int length = BitConverter.ToInt32(blob);
        if (length == 0)
            return blob[4..];
        byte[] text = new byte[length];
        using DeflateStream stream = new(new MemoryStream(blob, 4, blob.Length - 4), CompressionMode.Decompress);
        stream.ReadExactly(text);
        return text;
    }

    void Documents()
    {
        foreach (DocumentHandle handle in md.Documents)
        {
            Document d = md.GetDocument(handle);
            sink.Text("document").Hex(GetRowNumber(handle)).Word(md.GetString(d.Name))
                .Bytes(md.GetGuid(d.Language).ToByteArray()).Bytes(md.GetGuid(d.HashAlgorithm).ToByteArray())
                .Bytes(d.Hash.IsNil ? [] : md.GetBlobBytes(d.Hash));
            byte[]? source = CustomInfo(handle, EmbeddedSource);
            if (source != null)
                sink.HashOf(Inflate(source));
            sink.End();
        }
    }

    void SequencePoints()
    {
        foreach (MethodDebugInformationHandle handle in md.MethodDebugInformation)
        {
            MethodDebugInformation m = md.GetMethodDebugInformation(handle);
            sink.Text("points").Hex(GetRowNumber(handle)).Hex(GetRowNumber(m.Document))
                .Hex(GetHeapOffset(m.SequencePointsBlob))
                .Word($"kickoff={GetRowNumber(m.GetStateMachineKickoffMethod()):x}");
            foreach (SequencePoint p in m.GetSequencePoints())
                sink.Word($"{p.Offset:x}@{GetRowNumber(p.Document):x}:" +
                          (p.IsHidden ? "hidden" : $"{p.StartLine:x}.{p.StartColumn:x}-{p.EndLine:x}.{p.EndColumn:x}"));
            sink.End();
        }
    }

    void Scopes()
    {
        foreach (LocalScopeHandle handle in md.LocalScopes)
        {
            LocalScope s = md.GetLocalScope(handle);
            sink.Text("scope").Hex(GetRowNumber(handle)).Hex(GetRowNumber(s.Method)).Hex(GetRowNumber(s.ImportScope))
                .Hex(s.StartOffset).Hex(s.Length)
                .Word(ModuleDump.List(s.GetLocalVariables(), h => GetRowNumber(h)))
                .Word(ModuleDump.List(s.GetLocalConstants(), h => GetRowNumber(h))).End();
        }
        foreach (LocalVariableHandle handle in md.LocalVariables)
        {
            LocalVariable v = md.GetLocalVariable(handle);
            sink.Text("variable").Hex(GetRowNumber(handle)).Hex((uint)v.Attributes).Hex(v.Index)
                .Hex(GetHeapOffset(v.Name)).Word(md.GetString(v.Name)).End();
        }
        foreach (LocalConstantHandle handle in md.LocalConstants)
        {
            LocalConstant c = md.GetLocalConstant(handle);
            sink.Text("local_constant").Hex(GetRowNumber(handle)).Hex(GetHeapOffset(c.Name))
                .Hex(GetHeapOffset(c.Signature)).End();
        }
        foreach (ImportScopeHandle handle in md.ImportScopes)
        {
            ImportScope s = md.GetImportScope(handle);
            sink.Text("import_scope").Hex(GetRowNumber(handle)).Hex(GetRowNumber(s.Parent))
                .Hex(GetHeapOffset(s.ImportsBlob)).End();
        }
        foreach (CustomDebugInformationHandle handle in md.CustomDebugInformation)
        {
            CustomDebugInformation c = md.GetCustomDebugInformation(handle);
            sink.Text("custom").Hex(GetRowNumber(handle)).Hex(GetHeapOffset(c.Kind)).Hex(GetHeapOffset(c.Value))
                .Hex(ModuleDump.Token(c.Parent)).HashOf(c.Value.IsNil ? [] : md.GetBlobBytes(c.Value)).End();
        }
    }
}
