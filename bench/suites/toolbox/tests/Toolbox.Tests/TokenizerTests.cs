using Toolbox.Expressions;

namespace Toolbox.Tests;

public class TokenizerTests
{
    public static TheoryData<string, TokenKind> Symbols
    {
        get
        {
            var data = new TheoryData<string, TokenKind>();
            foreach (var kind in Enum.GetValues<TokenKind>().Where(k => k is >= TokenKind.Plus and <= TokenKind.Not))
            {
                data.Add(Printer.SymbolOf(kind).Trim(), kind);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Symbols))]
    public void Knows_each_symbol(string text, TokenKind kind)
    {
        var tokens = Tokenizer.Tokenize($"a {text} b");
        Assert.Equal([TokenKind.Name, kind, TokenKind.Name, TokenKind.End], tokens.Select(t => t.Kind));
        Assert.Equal(2, tokens[1].Position);
    }

    [Theory]
    [InlineData("0", 0)]
    [InlineData("12.5", 12.5)]
    [InlineData("1.", 1)]
    [InlineData("6.02e23", 6.02e23)]
    [InlineData("1E+2", 100)]
    [InlineData("007", 7)]
    public void Reads_numbers(string text, double value)
    {
        var token = new Tokenizer(text).Next();
        Assert.Equal(TokenKind.Number, token.Kind);
        Assert.Equal(value, token.Number);
    }

    [Fact]
    public void An_e_without_digits_begins_a_name()
    {
        Assert.Equal(["2", "e", ""], Tokenizer.Tokenize("2e").Select(t => t.Text));
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 100, MemberType = typeof(Seeds))]
    public void Tokens_cover_all_but_the_spaces(int seed)
    {
        var chance = new Chance(seed);
        var words = Enumerable.Range(0, 40).Select(_ => chance.Of("x", "12", "3.5", "+", "<=", "(", ")", "and", "foo_1", "^", ","));
        string text = string.Join(chance.Of(" ", "  ", "\t"), words);
        var tokens = Tokenizer.Tokenize(text);
        Assert.Equal(41, tokens.Count);
        Assert.All(tokens, t => Assert.Equal(t.Text, text.Substring(t.Position, t.Text.Length)));
    }
}
