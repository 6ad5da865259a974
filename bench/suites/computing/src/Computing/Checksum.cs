namespace Computing;

/// <summary>CRC-32 as in PNG and ZIP, bit by bit and by table, and Adler-32.</summary>
public static class Checksum
{
    private static readonly uint[] s_table = Table();

    public static uint Crc32(ReadOnlySpan<byte> bytes)
    {
        uint crc = uint.MaxValue;
        foreach (byte b in bytes)
        {
            crc = s_table[(crc ^ b) & 0xff] ^ (crc >> 8);
        }

        return ~crc;
    }

    public static uint Crc32Slowly(ReadOnlySpan<byte> bytes)
    {
        uint crc = uint.MaxValue;
        foreach (byte b in bytes)
        {
            crc = Step(crc ^ b);
        }

        return ~crc;
    }

    public static uint Adler32(ReadOnlySpan<byte> bytes)
    {
        const uint modulus = 65_521;
        uint a = 1, b = 0;
        foreach (byte value in bytes)
        {
            a = (a + value) % modulus;
            b = (b + a) % modulus;
        }

        return (b << 16) | a;
    }

    private static uint Step(uint crc)
    {
        for (int bit = 0; bit < 8; bit++)
        {
            crc = (crc & 1) != 0 ? (crc >> 1) ^ 0xedb8_8320 : crc >> 1;
        }

        return crc;
    }

    private static uint[] Table()
    {
        var table = new uint[256];
        for (uint i = 0; i < table.Length; i++)
        {
            table[i] = Step(i);
        }

        return table;
    }
}
