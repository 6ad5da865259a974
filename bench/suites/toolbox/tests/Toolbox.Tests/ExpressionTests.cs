using Toolbox.Expressions;

namespace Toolbox.Tests;

public class ExpressionTests
{
    [Theory]
    [InlineData("1", 1)]
    [InlineData(".5", 0.5)]
    [InlineData("1.5e3", 1500)]
    [InlineData("2e-2", 0.02)]
    [InlineData("1 + 2 * 3", 7)]
    [InlineData("(1 + 2) * 3", 9)]
    [InlineData("2 ^ 3 ^ 2", 512)]
    [InlineData("-2 ^ 2", -4)]
    [InlineData("2 ^ -1", 0.5)]
    [InlineData("10 - 4 - 3", 3)]
    [InlineData("100 / 5 / 2", 10)]
    [InlineData("17 % 5", 2)]
    [InlineData("- - 3", 3)]
    [InlineData("+4", 4)]
    [InlineData("1 < 2", 1)]
    [InlineData("2 <= 1", 0)]
    [InlineData("2 > 1 and 3 > 2", 1)]
    [InlineData("1 == 1 or 1 / 0", 1)]
    [InlineData("0 and 1 / 0", 0)]
    [InlineData("!0", 1)]
    [InlineData("not 5", 0)]
    [InlineData("1 != 2 && 2 != 3 || 0", 1)]
    [InlineData("1 ? 2 : 3", 2)]
    [InlineData("0 ? 2 : 0 ? 3 : 4", 4)]
    [InlineData("max(1, 5, 3)", 5)]
    [InlineData("min(4, 2 + 1)", 3)]
    [InlineData("sum(1, 2, 3, 4)", 10)]
    [InlineData("sqrt(16) + abs(-3)", 7)]
    [InlineData("gcd(48, 36)", 12)]
    [InlineData("clamp(15, 0, 10)", 10)]
    [InlineData("clamp(-5, 0, 10)", 0)]
    [InlineData("floor(2.7) + ceil(2.2)", 5)]
    [InlineData("true + true + false", 2)]
    [InlineData("cos(pi)", -1)]
    public void Evaluates(string text, double expected)
    {
        Assert.Equal(expected, Evaluator.Evaluate(text), 12);
    }

    [Theory]
    [InlineData("", "expected a value, found end of expression (at 0)")]
    [InlineData("1 +", "expected a value, found end of expression (at 3)")]
    [InlineData("(1", "expected Close, found end of expression (at 2)")]
    [InlineData("1 2", "expected End, found '2' (at 2)")]
    [InlineData("f(1,", "expected a value, found end of expression (at 4)")]
    [InlineData("a $ b", "'$' has no meaning here (at 2)")]
    [InlineData("1 ? 2", "expected Colon, found end of expression (at 5)")]
    public void Says_what_is_wrong_and_where(string text, string expected)
    {
        Assert.False(Parser.TryParse(text, out var node, out string error));
        Assert.Null(node);
        Assert.Equal(expected, error);
    }

    [Theory]
    [InlineData("1 / 0")]
    [InlineData("1 % (2 - 2)")]
    [InlineData("sqrt(-1)")]
    [InlineData("unknown")]
    [InlineData("unknown(1)")]
    [InlineData("abs(1, 2)")]
    [InlineData("max()")]
    public void Refuses_what_has_no_value(string text)
    {
        Assert.Throws<ExpressionException>(() => Evaluator.Evaluate(text));
    }

    [Theory]
    [InlineData("a+b*c", "a + b * c")]
    [InlineData("(a+b)*c", "(a + b) * c")]
    [InlineData("a-(b-c)", "a - (b - c)")]
    [InlineData("(a^b)^c", "(a ^ b) ^ c")]
    [InlineData("a^(b^c)", "a ^ b ^ c")]
    [InlineData("-(a+b)", "-(a + b)")]
    [InlineData("!(a && b)", "not (a and b)")]
    [InlineData("a?b:(c?d:e)", "a ? b : c ? d : e")]
    [InlineData("f(a,(b))", "f(a, b)")]
    public void Prints_no_more_brackets_than_needed(string text, string expected)
    {
        Assert.Equal(expected, Parser.Parse(text).ToString());
    }

    [Theory]
    [InlineData("x + 0", "x")]
    [InlineData("0 + x", "x")]
    [InlineData("x * 1 + 2 * 3", "x + 6")]
    [InlineData("x * 0", "0")]
    [InlineData("x - x", "0")]
    [InlineData("--x", "x")]
    [InlineData("1 < 2 ? x : y", "x")]
    [InlineData("max(1, 2) * x", "2 * x")]
    [InlineData("1 / 0", "1 / 0")]
    [InlineData("sqrt(-1)", "sqrt(-1)")]
    [InlineData("not 0", "1")]
    [InlineData("x ^ 1 / 1 - 0", "x")]
    public void Simplifies(string text, string expected)
    {
        Assert.Equal(expected, Simplifier.Simplify(Parser.Parse(text)).ToString());
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 150, MemberType = typeof(Seeds))]
    public void Printed_text_reads_back(int seed)
    {
        var tree = RandomTree(new Chance(seed), 5);
        string text = tree.ToString();
        Assert.Equal(text, Parser.Parse(text).ToString());
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 150, MemberType = typeof(Seeds))]
    public void Simplifying_keeps_the_value(int seed)
    {
        var chance = new Chance(seed + 1000);
        var tree = RandomTree(chance, 5);
        var simple = Simplifier.Simplify(tree);
        Assert.True(Simplifier.Size(simple) <= Simplifier.Size(tree));
        for (int i = 0; i < 5; i++)
        {
            var values = new Dictionary<string, double> { ["x"] = chance.Between(-9, 9), ["y"] = chance.Between(1, 9), ["z"] = i };
            Assert.Equal(ValueOf(tree, values), ValueOf(simple, values));
        }
    }

    [Fact]
    public void Lists_its_functions()
    {
        Assert.Equal("abs", Evaluator.Functions.First());
        Assert.Equal(12, Evaluator.Functions.Count());
    }

    private static string ValueOf(Node tree, Dictionary<string, double> variables)
    {
        try
        {
            return tree.Accept(new Evaluator(variables)).ToString("G9");
        }
        catch (ExpressionException e)
        {
            return e.Message;
        }
    }

    private static Node RandomTree(Chance chance, int depth)
    {
        if (depth == 0 || chance.Next(6) == 0)
        {
            return chance.Next(2) == 0 ? new Number(chance.Between(0, 9)) : new Variable(chance.Of("x", "y", "z"));
        }

        Node Child() => RandomTree(chance, depth - 1);
        switch (chance.Next(8))
        {
            case 0:
                return new Unary(chance.Of(TokenKind.Minus, TokenKind.Not), Child());
            case 1:
                return new Conditional(Child(), Child(), Child());
            case 2:
                return new Call(chance.Of("min", "max", "sum"), [Child(), Child()]);
            default:
                var kind = chance.Of(TokenKind.Plus, TokenKind.Minus, TokenKind.Star, TokenKind.Less, TokenKind.And, TokenKind.Or, TokenKind.Equal);
                return new Binary(kind, Child(), Child());
        }
    }
}
