using Toolbox.Text;

namespace Toolbox.Tests;

public class NumeralTests
{
    public static TheoryData<int> SomeYears => new(Enumerable.Range(0, 300).Select(i => 1 + (i * 12)));

    [Theory]
    [InlineData(1, "I")]
    [InlineData(4, "IV")]
    [InlineData(1994, "MCMXCIV")]
    [InlineData(3999, "MMMCMXCIX")]
    public void Writes_roman_numbers(int number, string expected)
    {
        Assert.Equal(expected, Numerals.ToRoman(number));
    }

    [Theory]
    [MemberData(nameof(SomeYears))]
    public void Roman_numbers_read_back(int number)
    {
        Assert.Equal(number, Numerals.FromRoman(Numerals.ToRoman(number)));
    }

    [Theory]
    [InlineData("")]
    [InlineData("IIII")]
    [InlineData("IC")]
    [InlineData("MCMXCIVX")]
    public void Refuses_what_is_no_roman_number(string text)
    {
        Assert.Throws<FormatException>(() => Numerals.FromRoman(text));
    }

    [Theory]
    [InlineData(0, "zero")]
    [InlineData(13, "thirteen")]
    [InlineData(21, "twenty-one")]
    [InlineData(100, "one hundred")]
    [InlineData(342, "three hundred and forty-two")]
    [InlineData(1001, "one thousand and one")]
    [InlineData(-7, "minus seven")]
    [InlineData(1_234_567, "one million two hundred and thirty-four thousand five hundred and sixty-seven")]
    [InlineData(2_000_000_000, "two billion")]
    public void Writes_words(long number, string expected)
    {
        Assert.Equal(expected, Numerals.ToWords(number));
    }

    [Theory]
    [MemberData(nameof(SomeYears))]
    public void Different_numbers_have_different_words(int number)
    {
        Assert.NotEqual(Numerals.ToWords(number), Numerals.ToWords(number + 1));
        Assert.StartsWith(Numerals.ToWords(number / 1000), number < 1000 ? "zero" : Numerals.ToWords(number));
    }

    [Theory]
    [InlineData(1, "1st")]
    [InlineData(2, "2nd")]
    [InlineData(3, "3rd")]
    [InlineData(4, "4th")]
    [InlineData(11, "11th")]
    [InlineData(12, "12th")]
    [InlineData(113, "113th")]
    [InlineData(121, "121st")]
    public void Writes_ordinals(int number, string expected)
    {
        Assert.Equal(expected, Numerals.Ordinal(number));
    }

    [Theory]
    [InlineData(0, "0 B")]
    [InlineData(1023, "1023 B")]
    [InlineData(1536, "1.5 KiB")]
    [InlineData(1 << 30, "1.0 GiB")]
    [InlineData(1L << 60, "1048576.0 TiB")]
    public void Writes_sizes(long count, string expected)
    {
        Assert.Equal(expected, Numerals.Bytes(count));
    }
}
