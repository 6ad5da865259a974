using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using System.Text;
using static System.Reflection.Metadata.Ecma335.MetadataTokens;

/// The facts of a DLL, in the order of tests/support/dump_metadata.c.
sealed unsafe class ModuleDump
{
    const int BodyHashLengthMax = 64, UnitsMax = (1 << 20) / 8;
    const string CompilerGenerated = "System.Runtime.CompilerServices.CompilerGeneratedAttribute";

    readonly PEReader pe;
    readonly MetadataReader md;
    readonly TypeNames names;
    readonly Sink sink;
    readonly Dictionary<TypeDefinitionHandle, string[]> typeParameters = new();

    public ModuleDump(PEReader pe, MetadataReader md, Sink sink)
    {
        this.pe = pe;
        this.md = md;
        this.sink = sink;
        names = new TypeNames(md);
    }

    public void Write()
    {
        Image();
        Heaps(md, sink, 0);
        UserStrings();
        AssemblyFacts();
        TypeReferences();
        TypeDefinitions();
        Fields();
        Methods();
        StandaloneSignatures();
        PropertiesAndEvents();
        Attributes();
    }

    /// A token; every null reference is 0, whatever its table.
    public static long Token(EntityHandle handle) => handle.IsNil ? 0 : (uint)GetToken(handle);

    public static string List<T>(IReadOnlyCollection<T> rows, Func<T, int> row) =>
        rows.Count == 0 ? "0+0" : $"{row(rows.First()):x}+{rows.Count:x}";

    int Rows(TableIndex table) => md.GetTableRowCount(table);

    void Image()
    {
        PEHeaders headers = pe.PEHeaders;
        PEHeader header = headers.PEHeader!;
        CorHeader cor = headers.CorHeader!;
        (bool readyToRun, bool component) = NativeHeader(cor.ManagedNativeHeaderDirectory);
        sink.Text("pe").Hex((ushort)headers.CoffHeader.Machine).Hex(header.Magic == PEMagic.PE32Plus ? 1 : 0)
            .Hex((uint)headers.CoffHeader.TimeDateStamp).Hex(header.SizeOfImage)
            .Hex(headers.CoffHeader.NumberOfSections).Hex((uint)cor.Flags).Hex(headers.MetadataSize)
            .Word($"r2r={(readyToRun ? 1 : 0)} composite={(component ? 1 : 0)}").End();

        DebugDirectoryEntry[] entries = pe.ReadDebugDirectory().ToArray();
        bool reproducible = entries.Any(e => e.Type == DebugDirectoryEntryType.Reproducible);
        sink.Text($"debug entries={(entries.Length != 0 ? 1 : 0)} reproducible={(reproducible ? 1 : 0)}");
        DebugDirectoryEntry[] views = entries.Where(e => e.Type == DebugDirectoryEntryType.CodeView).ToArray();
        if (views.Length != 0)
        {
            DebugDirectoryEntry entry = views.Any(e => e.IsPortableCodeView)
                ? views.First(e => e.IsPortableCodeView) : views[0];
            CodeViewDebugDirectoryData data = pe.ReadCodeViewDebugDirectoryData(entry);
            sink.Word($"codeview portable={(entry.IsPortableCodeView ? 1 : 0)}")
                .Bytes(data.Guid.ToByteArray()).Hex(entry.Stamp).Word(data.Path);
        }
        DebugDirectoryEntry embedded =
            entries.FirstOrDefault(e => e.Type == DebugDirectoryEntryType.EmbeddedPortablePdb);
        sink.Word($"embedded={embedded.DataSize:x}");
        DebugDirectoryEntry[] checksums =
            entries.Where(e => e.Type == DebugDirectoryEntryType.PdbChecksum).ToArray();
        if (checksums.Length != 0)
        {
            PdbChecksumDebugDirectoryData data = pe.ReadPdbChecksumDebugDirectoryData(checksums[0]);
            sink.Word(data.AlgorithmName).Bytes(data.Checksum.AsSpan());
        }
        sink.End();
    }

    (bool, bool) NativeHeader(DirectoryEntry directory)
    {
        if (directory.RelativeVirtualAddress == 0)
            return (false, false);
        BlobReader header = pe.GetSectionData(directory.RelativeVirtualAddress).GetReader();
        bool readyToRun = header.ReadUInt32() == 0x00525452;
        header.ReadUInt32();
        return (readyToRun, readyToRun && (header.ReadUInt32() & 0x20) != 0);
    }

    public static void Heaps(MetadataReader md, Sink sink, int firstTable)
    {
        sink.Text("heaps").Word(md.MetadataVersion).Hex(md.GetHeapSize(HeapIndex.UserString))
            .Hex(md.GetHeapSize(HeapIndex.Guid)).Hex(md.GetHeapSize(HeapIndex.Blob)).End();
        for (int id = firstTable; id < 0x38; id++)
        {
            if (!Enum.IsDefined((TableIndex)id) || md.GetTableRowCount((TableIndex)id) == 0)
                continue;
            sink.Text("table").Hex(id).Hex(md.GetTableRowCount((TableIndex)id))
                .Hex(md.GetTableRowSize((TableIndex)id)).End();
        }
        for (int i = 1; i <= md.GetHeapSize(HeapIndex.Guid) / 16; i++)
            sink.Text("guid").Bytes(md.GetGuid(GuidHandle(i)).ToByteArray()).End();
    }

    void UserStrings()
    {
        if (md.GetHeapSize(HeapIndex.UserString) == 0)
            return;
        for (UserStringHandle handle = md.GetNextHandle(UserStringHandle(0)); !handle.IsNil;
             handle = md.GetNextHandle(handle))
        {
            string text = md.GetUserString(handle);
            sink.Text("user_string").Hex(GetHeapOffset(handle));
            if (text.Length <= UnitsMax)
                sink.HashOf(Encoding.UTF8.GetBytes(text));
            else
                sink.Word("long").Hex(text.Length);
            sink.End();
        }
    }

    void AssemblyFacts()
    {
        ModuleDefinition module = md.GetModuleDefinition();
        string file = md.GetString(module.Name);
        string name = md.IsAssembly ? md.GetString(md.GetAssemblyDefinition().Name)
            : file.LastIndexOf('.') > 0 ? file[..file.LastIndexOf('.')] : file;
        sink.Text("module").Hex(module.Generation).Hex(GetHeapOffset(module.Name)).Hex(GetHeapOffset(module.Mvid))
            .Hex(GetHeapOffset(module.GenerationId)).Hex(GetHeapOffset(module.BaseGenerationId))
            .Bytes(md.GetGuid(module.Mvid).ToByteArray()).Word(name).End();
        if (md.IsAssembly)
        {
            AssemblyDefinition a = md.GetAssemblyDefinition();
            sink.Text("assembly").Hex((uint)a.HashAlgorithm).Word(a.Version.ToString()).Hex((uint)a.Flags)
                .Hex(GetHeapOffset(a.PublicKey)).Hex(GetHeapOffset(a.Name)).Hex(GetHeapOffset(a.Culture)).End();
        }
        foreach (AssemblyReferenceHandle handle in md.AssemblyReferences)
        {
            AssemblyReference a = md.GetAssemblyReference(handle);
            sink.Text("assembly_ref").Hex(GetRowNumber(handle)).Word(a.Version.ToString()).Hex((uint)a.Flags)
                .Hex(GetHeapOffset(a.PublicKeyOrToken)).Hex(GetHeapOffset(a.Name)).Hex(GetHeapOffset(a.Culture))
                .Hex(GetHeapOffset(a.HashValue)).Word(md.GetString(a.Name)).End();
        }
        foreach (AssemblyFileHandle handle in md.AssemblyFiles)
        {
            AssemblyFile f = md.GetAssemblyFile(handle);
            sink.Text("file").Hex(GetRowNumber(handle)).Hex(f.ContainsMetadata ? 0 : 1).Hex(GetHeapOffset(f.Name))
                .Hex(GetHeapOffset(f.HashValue)).End();
        }
        for (int i = 1; i <= Rows(TableIndex.ModuleRef); i++)
        {
            ModuleReference m = md.GetModuleReference(ModuleReferenceHandle(i));
            sink.Text("module_ref").Hex(i).Hex(GetHeapOffset(m.Name)).Word(md.GetString(m.Name)).End();
        }
        foreach (ExportedTypeHandle handle in md.ExportedTypes)
        {
            ExportedType e = md.GetExportedType(handle);
            sink.Text("exported_type").Hex(GetRowNumber(handle)).Hex((uint)e.Attributes)
                .Hex(GetHeapOffset(e.Name)).Hex(GetHeapOffset(e.Namespace)).Hex(Token(e.Implementation)).End();
        }
        foreach (ManifestResourceHandle handle in md.ManifestResources)
        {
            ManifestResource r = md.GetManifestResource(handle);
            sink.Text("resource").Hex(GetRowNumber(handle)).Hex((uint)r.Offset).Hex((uint)r.Attributes)
                .Hex(GetHeapOffset(r.Name)).Hex(Token(r.Implementation)).End();
        }
    }

    void TypeReferences()
    {
        foreach (TypeReferenceHandle handle in md.TypeReferences)
        {
            TypeReference t = md.GetTypeReference(handle);
            sink.Text("type_ref").Hex(GetRowNumber(handle)).Hex(Token(t.ResolutionScope))
                .Hex(GetHeapOffset(t.Name)).Hex(GetHeapOffset(t.Namespace)).Word(names.Of(handle)).End();
        }
        for (int i = 1; i <= Rows(TableIndex.TypeSpec); i++)
        {
            TypeSpecificationHandle handle = TypeSpecificationHandle(i);
            sink.Text("type_spec").Hex(i).Hex(GetHeapOffset(md.GetTypeSpecification(handle).Signature))
                .Word(names.Of(handle)).End();
        }
    }

    void TypeDefinitions()
    {
        foreach (TypeDefinitionHandle handle in md.TypeDefinitions)
        {
            TypeDefinition t = md.GetTypeDefinition(handle);
            TypeLayout layout = t.GetLayout();
            sink.Text("type").Hex(GetRowNumber(handle)).Hex((uint)t.Attributes).Hex(GetHeapOffset(t.Name))
                .Hex(GetHeapOffset(t.Namespace)).Hex(Token(t.BaseType))
                .Word(List(t.GetFields(), h => GetRowNumber(h))).Word(List(t.GetMethods(), h => GetRowNumber(h)))
                .Word(List(t.GetEvents(), h => GetRowNumber(h))).Word(List(t.GetProperties(), h => GetRowNumber(h)))
                .Hex(GetRowNumber(t.GetDeclaringType())).Hex(layout.PackingSize).Hex((uint)layout.Size);
            AttributeFlag(t.GetCustomAttributes());
            sink.Word(names.Of(handle));
            foreach (InterfaceImplementationHandle i in t.GetInterfaceImplementations())
                sink.Hex(Token(md.GetInterfaceImplementation(i).Interface));
            sink.End();
        }
        for (int i = 1; i <= Rows(TableIndex.MethodImpl); i++)
        {
            MethodImplementation m = md.GetMethodImplementation(MethodImplementationHandle(i));
            sink.Text("method_impl").Hex(i).Hex(GetRowNumber(m.Type)).Hex(Token(m.MethodBody))
                .Hex(Token(m.MethodDeclaration)).End();
        }
        for (int i = 1; i <= Rows(TableIndex.GenericParam); i++)
        {
            GenericParameter p = md.GetGenericParameter(GenericParameterHandle(i));
            sink.Text("generic_param").Hex(i).Hex(p.Index).Hex((uint)p.Attributes).Hex(GetHeapOffset(p.Name))
                .Hex(Token(p.Parent)).End();
        }
        for (int i = 1; i <= Rows(TableIndex.GenericParamConstraint); i++)
        {
            GenericParameterConstraint c =
                md.GetGenericParameterConstraint(GenericParameterConstraintHandle(i));
            sink.Text("constraint").Hex(i).Hex(GetRowNumber(c.Parameter)).Hex(Token(c.Type)).End();
        }
    }

    void AttributeFlag(CustomAttributeHandleCollection attributes)
    {
        foreach (CustomAttributeHandle handle in attributes)
        {
            CustomAttribute attribute = md.GetCustomAttribute(handle);
            EntityHandle type = attribute.Constructor.Kind == HandleKind.MethodDefinition
                ? md.GetMethodDefinition((MethodDefinitionHandle)attribute.Constructor).GetDeclaringType()
                : md.GetMemberReference((MemberReferenceHandle)attribute.Constructor).Parent;
            if (names.Of(type) != CompilerGenerated)
                continue;
            sink.Word("generated").Bytes(md.GetBlobBytes(attribute.Value));
            return;
        }
        sink.Word("-");
    }

    void Fields()
    {
        foreach (FieldDefinitionHandle handle in md.FieldDefinitions)
        {
            FieldDefinition f = md.GetFieldDefinition(handle);
            sink.Text("field").Hex(GetRowNumber(handle)).Hex((uint)f.Attributes).Hex(GetHeapOffset(f.Name))
                .Hex(GetHeapOffset(f.Signature)).Hex(GetRowNumber(f.GetDeclaringType())).Hex((uint)f.GetOffset())
                .Hex((uint)f.GetRelativeVirtualAddress()).Hex(GetRowNumber(f.GetDefaultValue()))
                .Hex(GetHeapOffset(f.GetMarshallingDescriptor())).Word(md.GetString(f.Name))
                .Word("field").Word(f.DecodeSignature(names, TypeNames.None)).End();
        }
        for (int i = 1; i <= Rows(TableIndex.Param); i++)
        {
            Parameter p = md.GetParameter(ParameterHandle(i));
            sink.Text("param").Hex(i).Hex((uint)p.Attributes).Hex(p.SequenceNumber).Hex(GetHeapOffset(p.Name))
                .Hex(GetRowNumber(p.GetDefaultValue())).Hex(GetHeapOffset(p.GetMarshallingDescriptor())).End();
        }
        for (int i = 1; i <= Rows(TableIndex.Constant); i++)
        {
            Constant c = md.GetConstant(ConstantHandle(i));
            sink.Text("constant").Hex(i).Hex((uint)c.TypeCode).Hex(GetHeapOffset(c.Value)).Hex(Token(c.Parent)).End();
        }
    }

    string[] NamesOf(GenericParameterHandleCollection parameters) =>
        parameters.Select(p => md.GetString(md.GetGenericParameter(p).Name)).ToArray();

    GenericNames NamesFor(MethodDefinition method)
    {
        TypeDefinitionHandle type = method.GetDeclaringType();
        if (!typeParameters.TryGetValue(type, out string[]? ofType))
            typeParameters[type] = ofType = NamesOf(md.GetTypeDefinition(type).GetGenericParameters());
        return new GenericNames(ofType, NamesOf(method.GetGenericParameters()));
    }

    void MethodTypes(MethodSignature<string> signature)
    {
        sink.Word("method").Hex(signature.Header.RawValue).Hex(signature.GenericParameterCount)
            .Hex(signature.ParameterTypes.Length).Word(signature.ReturnType)
            .Word(string.Join(";", TypeNames.Parameters(signature)));
    }

    void Methods()
    {
        foreach (MethodDefinitionHandle handle in md.MethodDefinitions)
        {
            MethodDefinition m = md.GetMethodDefinition(handle);
            MethodImport import = m.GetImport();
            string name = md.GetString(m.Name);
            sink.Text("method").Hex(GetRowNumber(handle)).Hex((uint)m.RelativeVirtualAddress)
                .Hex((uint)m.ImplAttributes).Hex((uint)m.Attributes).Hex(GetHeapOffset(m.Name))
                .Hex(GetHeapOffset(m.Signature)).Word(List(m.GetParameters(), h => GetRowNumber(h)))
                .Hex(GetRowNumber(m.GetDeclaringType())).Word("import").Hex((uint)import.Attributes)
                .Hex(GetHeapOffset(import.Name)).Hex(GetRowNumber(import.Module));
            AttributeFlag(m.GetCustomAttributes());
            MethodSignature<string> named = m.DecodeSignature(names, NamesFor(m));
            MethodSignature<string> signature = m.DecodeSignature(names, TypeNames.None);
            sink.Word(signature.GenericParameterCount == 0 ? name : name + "`" + signature.GenericParameterCount);
            bool converts = name is "op_Implicit" or "op_Explicit";
            sink.Word("(" + string.Join(",", TypeNames.Parameters(named)) + ")" + (converts ? ":" + named.ReturnType : ""));
            MethodTypes(signature);
            Body(m);
            sink.End();
        }
        foreach (MemberReferenceHandle handle in md.MemberReferences)
        {
            MemberReference m = md.GetMemberReference(handle);
            sink.Text("member_ref").Hex(GetRowNumber(handle)).Hex(Token(m.Parent)).Hex(GetHeapOffset(m.Name))
                .Hex(GetHeapOffset(m.Signature)).Word(md.GetString(m.Name));
            if (m.GetKind() == MemberReferenceKind.Field)
                sink.Word("field").Word(m.DecodeFieldSignature(names, TypeNames.None));
            else
                MethodTypes(m.DecodeMethodSignature(names, TypeNames.None));
            sink.End();
        }
        for (int i = 1; i <= Rows(TableIndex.MethodSpec); i++)
        {
            MethodSpecification m = md.GetMethodSpecification(MethodSpecificationHandle(i));
            sink.Text("method_spec").Hex(i).Hex(Token(m.Method)).Hex(GetHeapOffset(m.Signature))
                .Word(string.Join(";", m.DecodeSignature(names, TypeNames.None))).End();
        }
    }

    void Body(MethodDefinition method)
    {
        const MethodImplAttributes notIL = MethodImplAttributes.CodeTypeMask | MethodImplAttributes.Unmanaged;
        if (method.RelativeVirtualAddress == 0 || (method.ImplAttributes & notIL) != 0)
        {
            sink.Word("-");
            return;
        }
        PEMemoryBlock body = pe.GetSectionData(method.RelativeVirtualAddress);
        sink.Hex(body.Length).HashOf(new ReadOnlySpan<byte>(body.Pointer, Math.Min(body.Length, BodyHashLengthMax)));
    }

    void StandaloneSignatures()
    {
        for (int i = 1; i <= Rows(TableIndex.StandAloneSig); i++)
        {
            StandaloneSignature s = md.GetStandaloneSignature(StandaloneSignatureHandle(i));
            sink.Text("signature").Hex(i).Hex(GetHeapOffset(s.Signature));
            SignatureHeader header = md.GetBlobReader(s.Signature).ReadSignatureHeader();
            if (header.Kind == SignatureKind.LocalVariables)
            {
                var locals = s.DecodeLocalSignature(names, TypeNames.None);
                sink.Word("locals").Hex(locals.Length).Word(string.Join(";", locals));
            }
            else if (header.Kind == SignatureKind.Field)
            {
                sink.Word("field");
            }
            else
            {
                MethodTypes(s.DecodeMethodSignature(names, TypeNames.None));
            }
            sink.End();
        }
    }

    void PropertiesAndEvents()
    {
        foreach (PropertyDefinitionHandle handle in md.PropertyDefinitions)
        {
            PropertyDefinition p = md.GetPropertyDefinition(handle);
            PropertyAccessors accessors = p.GetAccessors();
            sink.Text("property").Hex(GetRowNumber(handle)).Hex((uint)p.Attributes).Hex(GetHeapOffset(p.Name))
                .Hex(GetHeapOffset(p.Signature)).Hex(GetRowNumber(p.GetDefaultValue()))
                .Hex(GetRowNumber(accessors.Getter)).Hex(GetRowNumber(accessors.Setter)).End();
        }
        foreach (EventDefinitionHandle handle in md.EventDefinitions)
        {
            EventDefinition e = md.GetEventDefinition(handle);
            EventAccessors accessors = e.GetAccessors();
            sink.Text("event").Hex(GetRowNumber(handle)).Hex((uint)e.Attributes).Hex(GetHeapOffset(e.Name))
                .Hex(Token(e.Type)).Hex(GetRowNumber(accessors.Adder)).Hex(GetRowNumber(accessors.Remover))
                .Hex(GetRowNumber(accessors.Raiser)).End();
        }
    }

    void Attributes()
    {
        foreach (CustomAttributeHandle handle in md.CustomAttributes)
        {
            CustomAttribute a = md.GetCustomAttribute(handle);
            sink.Text("attribute").Hex(GetRowNumber(handle)).Hex(Token(a.Parent)).Hex(Token(a.Constructor))
                .Hex(GetHeapOffset(a.Value)).HashOf(a.Value.IsNil ? [] : md.GetBlobBytes(a.Value)).End();
        }
        foreach (DeclarativeSecurityAttributeHandle handle in md.DeclarativeSecurityAttributes)
        {
            DeclarativeSecurityAttribute s = md.GetDeclarativeSecurityAttribute(handle);
            sink.Text("security").Hex(GetRowNumber(handle)).Hex((uint)s.Action).Hex(Token(s.Parent))
                .Hex(GetHeapOffset(s.PermissionSet)).End();
        }
    }
}
