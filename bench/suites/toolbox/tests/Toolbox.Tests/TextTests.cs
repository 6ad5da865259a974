using Toolbox.Text;

namespace Toolbox.Tests;

public class TextTests
{
    private const string Pangram = "the quick brown fox jumps over the lazy dog";

    [Theory]
    [InlineData(Alignment.Left, "the quick|brown fox|jumps over|the lazy|dog")]
    [InlineData(Alignment.Right, " the quick| brown fox|jumps over|  the lazy|       dog")]
    [InlineData(Alignment.Centre, "the quick|brown fox|jumps over| the lazy|   dog")]
    [InlineData(Alignment.Justified, "the  quick|brown  fox|jumps over|the   lazy|dog")]
    public void Wraps(Alignment alignment, string expected)
    {
        Assert.Equal(expected.Split('|'), WordWrap.Wrap(Pangram, 10, alignment));
    }

    [Fact]
    public void Keeps_paragraphs_and_cuts_long_words()
    {
        Assert.Equal(["ab", "", "cdef", "gh"], WordWrap.Wrap("ab\n\ncdefgh", 4));
        Assert.Throws<ArgumentOutOfRangeException>(() => WordWrap.Wrap("x", 0));
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 120, MemberType = typeof(Seeds))]
    public void No_line_is_wider_and_no_word_is_lost(int seed)
    {
        var chance = new Chance(seed);
        var words = Enumerable.Range(0, 60).Select(_ => chance.Word(9)).ToList();
        int width = chance.Between(9, 40);
        var alignment = chance.Of(Enum.GetValues<Alignment>());
        var lines = WordWrap.Wrap(string.Join(' ', words), width, alignment);
        Assert.All(lines, line => Assert.True(line.Length <= width));
        Assert.Equal(words, lines.SelectMany(l => l.Split(' ', StringSplitOptions.RemoveEmptyEntries)));
    }

    [Theory]
    [InlineData("kitten", "sitting", 3)]
    [InlineData("", "abc", 3)]
    [InlineData("abc", "abc", 0)]
    [InlineData("ab", "ba", 1)]
    [InlineData("flaw", "lawn", 2)]
    [InlineData("gumbo", "gambol", 2)]
    public void Measures_the_distance_of_words(string a, string b, int expected)
    {
        Assert.Equal(expected, Similarity.Distance(a, b));
        Assert.Equal(expected, Similarity.Distance(b, a));
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 120, MemberType = typeof(Seeds))]
    public void A_common_subsequence_is_part_of_both(int seed)
    {
        var chance = new Chance(seed);
        string a = chance.Word(40, "abcd"), b = chance.Word(40, "abcd");
        string common = Similarity.LongestCommonSubsequence(a, b);
        Assert.True(IsPart(common, a) && IsPart(common, b));
        Assert.Equal(a.Length + b.Length - (2 * common.Length), Diff.Distance(a.ToCharArray(), b.ToCharArray()));
    }

    [Theory]
    [InlineData("Robert", "R163")]
    [InlineData("Rupert", "R163")]
    [InlineData("Ashcraft", "A261")]
    [InlineData("Tymczak", "T522")]
    [InlineData("Pfister", "P236")]
    [InlineData("Honeyman", "H555")]
    [InlineData("Lee", "L000")]
    public void Hears_names(string name, string code)
    {
        Assert.Equal(code, Similarity.Soundex(name));
    }

    [Theory]
    [InlineData("comit", "commit")]
    [InlineData("PUHS", "push")]
    [InlineData("xyzzy", null)]
    [InlineData("stats", "status")]
    public void Suggests(string typed, string? expected)
    {
        Assert.Equal(expected, Similarity.Suggest(typed, ["commit", "push", "pull", "status", "stash"]));
    }

    [Theory]
    [InlineData("a,b\nc,d\n", "a|b/c|d")]
    [InlineData("a,b\r\nc,d", "a|b/c|d")]
    [InlineData("\"a,b\",\"c\"\"d\"\n", "a,b|c\"d")]
    [InlineData("\"a\nb\",c", "a\nb|c")]
    [InlineData(",,", "||")]
    [InlineData("\"\"", "")]
    public void Reads_csv(string text, string expected)
    {
        Assert.Equal(expected, string.Join('/', new Csv().Read(text).Select(r => string.Join('|', r))));
    }

    [Theory]
    [InlineData("\"a")]
    [InlineData("\"a\"b")]
    public void Refuses_malformed_csv(string text)
    {
        Assert.Throws<FormatException>(() => new Csv().Read(text));
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 120, MemberType = typeof(Seeds))]
    public void Csv_survives_the_round_trip(int seed)
    {
        var chance = new Chance(seed);
        var rows = Enumerable.Range(0, 20).Select(_ => Enumerable.Range(0, 6).Select(_ => chance.Word(8, "ab,;\"\n\r x")).ToArray()).ToList();
        var csv = new Csv(chance.Of(',', ';', '\t'));
        Assert.Equal(rows, csv.Read(csv.Write(rows)));
    }

    [Theory]
    [InlineData("Hello {name}!", "Hello ada lovelace!")]
    [InlineData("{name|upper}", "ADA LOVELACE")]
    [InlineData("{name|title|left:14}|", "Ada Lovelace  |")]
    [InlineData("{name|cut:3}", "ada…")]
    [InlineData("{empty|default:none}", "none")]
    [InlineData("{?name}yes{/}{?empty}no{/}{?missing}no{/}", "yes")]
    [InlineData("{{name}", "{name}")]
    [InlineData("{?name}{?name}deep{/}{/}", "deep")]
    public void Fills_templates(string source, string expected)
    {
        var values = new Dictionary<string, string> { ["name"] = "ada lovelace", ["empty"] = "" };
        Assert.Equal(expected, Template.Parse(source).Render(values));
    }

    [Theory]
    [InlineData("{name")]
    [InlineData("{/}")]
    [InlineData("{?name}")]
    [InlineData("{name|shout}")]
    public void Refuses_malformed_templates(string source)
    {
        Assert.Throws<FormatException>(() => Template.Parse(source));
    }

    [Fact]
    public void Draws_tables()
    {
        var table = new TextTable("Name", "Size").Add("beta", 2).Add("alpha", 10.5).Add("c", null).SortBy(0);
        Assert.Equal("Name    Size\n-----  -----\nalpha  10.50\nbeta       2\nc\n", table.ToString());
        Assert.Equal(3, table.RowCount);
        Assert.Throws<ArgumentException>(() => table.Add("only one"));
    }

    private static bool IsPart(string part, string whole)
    {
        int at = 0;
        foreach (char c in whole)
        {
            if (at < part.Length && part[at] == c)
            {
                at++;
            }
        }

        return at == part.Length;
    }
}
