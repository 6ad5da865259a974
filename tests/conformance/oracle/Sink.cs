using System;
using System.Globalization;
using System.IO;
using System.Text;

/// The dump's lines, written out or only hashed (FNV-1a, as base/fnv.h).
sealed class Sink
{
    const ulong Start = 0xcbf29ce484222325, Prime = 0x100000001b3;

    readonly StringBuilder line = new();
    readonly Stream? output;
    byte[] bytes = new byte[1 << 16];

    public Sink(Stream? output) => this.output = output;

    public ulong Hash { get; private set; } = Start;

    public Sink Text(string text)
    {
        line.Append(text);
        return this;
    }

    public Sink Word(string text)
    {
        line.Append(' ').Append(text);
        return this;
    }

    public Sink Hex(long value)
    {
        line.Append(' ').Append(value.ToString("x", CultureInfo.InvariantCulture));
        return this;
    }

    public Sink Bytes(ReadOnlySpan<byte> data)
    {
        line.Append(' ').Append(Convert.ToHexStringLower(data));
        return this;
    }

    public Sink HashOf(ReadOnlySpan<byte> data) => Word($"{data.Length:x}:{Fnv(Start, data):x16}");

    public void End()
    {
        line.Append('\n');
        foreach (ReadOnlyMemory<char> chunk in line.GetChunks())
            Write(chunk.Span);
        line.Clear();
    }

    void Write(ReadOnlySpan<char> text)
    {
        int most = Encoding.UTF8.GetMaxByteCount(text.Length);
        if (bytes.Length < most)
            bytes = new byte[most];
        ReadOnlySpan<byte> encoded = bytes.AsSpan(0, Encoding.UTF8.GetBytes(text, bytes));
        if (output != null)
            output.Write(encoded);
        else
            Hash = Fnv(Hash, encoded);
    }

    static ulong Fnv(ulong hash, ReadOnlySpan<byte> data)
    {
        foreach (byte b in data)
            hash = (hash ^ b) * Prime;
        return hash;
    }
}
