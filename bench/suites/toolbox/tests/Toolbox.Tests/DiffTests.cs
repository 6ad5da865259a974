using Toolbox.Text;

namespace Toolbox.Tests;

public class DiffTests
{
    [Theory]
    [InlineData("", "", "")]
    [InlineData("abc", "abc", " a b c")]
    [InlineData("abc", "", "-a-b-c")]
    [InlineData("", "abc", "+a+b+c")]
    [InlineData("abc", "abd", " a b-c+d")]
    [InlineData("abcabba", "cbabac", "-a-b c+b a b-b a+c")]
    public void Finds_the_shortest_way(string before, string after, string expected)
    {
        var edits = Diff.Compare(before.ToCharArray(), after.ToCharArray());
        Assert.Equal(expected, string.Concat(edits));
    }

    [Fact]
    public void Compares_lines()
    {
        var edits = Diff.CompareLines("one\ntwo\nthree", "one\n2\nthree\nfour");
        Assert.Equal([" one", "-two", "+2", " three", "+four"], edits.Select(e => e.ToString()));
    }

    [Fact]
    public void Takes_another_equality()
    {
        var edits = Diff.Compare(["A", "b"], ["a", "B"], StringComparer.OrdinalIgnoreCase);
        Assert.All(edits, e => Assert.Equal(EditKind.Keep, e.Kind));
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 180, MemberType = typeof(Seeds))]
    public void The_way_leads_there(int seed)
    {
        var chance = new Chance(seed);
        var before = chance.Word(60, "abcde").ToCharArray();
        var after = chance.Word(60, "abcde").ToCharArray();
        var edits = Diff.Compare(before, after);
        Assert.Equal(after, Diff.Apply(edits));
        Assert.Equal(before, edits.Where(e => e.Kind != EditKind.Insert).Select(e => e.Item));
    }
}
