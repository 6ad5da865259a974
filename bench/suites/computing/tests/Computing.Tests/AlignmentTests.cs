namespace Computing.Tests;

public class AlignmentTests
{
    [Theory]
    [InlineData("", "", 0)]
    [InlineData("abc", "", -3)]
    [InlineData("GCATGCG", "GATTACA", 0)]
    [InlineData("same", "same", 4)]
    public void Scores(string a, string b, int expected) => Assert.Equal(expected, Alignment.Score(a, b));

    [Fact]
    public void A_long_text_fits_itself()
    {
        string text = string.Concat(Enumerable.Range(0, 2_000).Select(i => (i * 7 % 26).ToString()));
        Assert.Equal(text.Length, Alignment.Score(text, text));
        Assert.Equal(text.Length - 2, Alignment.Score(text, text[1..]));
    }
}
