using System.Text;

namespace Computing.Tests;

public class ChecksumTests
{
    [Fact]
    public void The_check_values_of_the_standards()
    {
        byte[] digits = Encoding.ASCII.GetBytes("123456789");
        Assert.Equal(0xcbf4_3926u, Checksum.Crc32(digits));
        Assert.Equal(0x091e_01deu, Checksum.Adler32(digits));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1_000)]
    [InlineData(8_000_000)]
    public void Bit_by_bit_and_by_table(int length)
    {
        var bytes = new byte[length];
        new Random(length).NextBytes(bytes);
        Assert.Equal(Checksum.Crc32Slowly(bytes), Checksum.Crc32(bytes));
    }

    [Fact]
    public void Adler_of_many_zeros() => Assert.Equal(20_000_000u % 65_521 << 16 | 1, Checksum.Adler32(new byte[20_000_000]));
}
