using System.Text.Json;
using Toolbox.Json;
using JsonException = Toolbox.Json.JsonException;
using JsonNode = System.Text.Json.Nodes.JsonNode;

namespace Toolbox.Tests;

public class JsonTests
{
    [Theory]
    [InlineData("null")]
    [InlineData("true")]
    [InlineData("false")]
    [InlineData("0")]
    [InlineData("-12.5")]
    [InlineData("1E+20")]
    [InlineData("\"\"")]
    [InlineData("\"a\\n\\\"b\\\\\"")]
    [InlineData("[]")]
    [InlineData("{}")]
    [InlineData("[1,[2,[3]]]")]
    [InlineData("{\"a\":1,\"b\":[true,null],\"c\":{\"d\":\"e\"}}")]
    public void Writes_what_it_read(string text)
    {
        Assert.Equal(text, JsonReader.Read(text).ToString());
    }

    [Theory]
    [InlineData("", 1, 1)]
    [InlineData("nul", 1, 1)]
    [InlineData("[1,]", 1, 4)]
    [InlineData("[1 2]", 1, 4)]
    [InlineData("{\"a\" 1}", 1, 6)]
    [InlineData("{a:1}", 1, 2)]
    [InlineData("\"abc", 1, 5)]
    [InlineData("\"\\q\"", 1, 3)]
    [InlineData("\"\\u12G4\"", 1, 3)]
    [InlineData("01", 1, 3)]
    [InlineData("1.", 1, 3)]
    [InlineData("1e", 1, 3)]
    [InlineData("-", 1, 2)]
    [InlineData("[1,\n 2,\n x]", 3, 2)]
    [InlineData("1 1", 1, 3)]
    public void Says_where_the_text_is_malformed(string text, int line, int column)
    {
        var error = Assert.Throws<JsonException>(() => JsonReader.Read(text));
        Assert.Equal((line, column), (error.Line, error.Column));
    }

    [Fact]
    public void Limits_the_depth()
    {
        Assert.Throws<JsonException>(() => JsonReader.Read(new string('[', 200)));
        Assert.Equal(JsonKind.Array, JsonReader.Read(new string('[', 99) + new string(']', 99)).Kind);
    }

    [Fact]
    public void Converts_only_what_it_is()
    {
        var value = JsonReader.Read("{\"n\": 3, \"s\": \"x\", \"b\": true}");
        Assert.Equal(3, (int)value["n"]);
        Assert.Equal("x", (string)value["s"]);
        Assert.True((bool)value["b"]);
        Assert.Throws<InvalidOperationException>(() => (double)value["s"]);
        Assert.Throws<KeyNotFoundException>(() => value["z"]);
        Assert.Throws<InvalidOperationException>(() => value[0]);
        Assert.Throws<OverflowException>(() => (int)(JsonValue)1e12);
    }

    [Fact]
    public void Objects_change_and_keep_their_order()
    {
        var value = JsonValue.Object(("a", 1), ("b", 2), ("c", 3));
        value["b"] = "two";
        value["d"] = JsonValue.Null;
        Assert.True(value.Remove("a"));
        Assert.False(value.Remove("a"));
        Assert.Equal("{\"b\":\"two\",\"c\":3,\"d\":null}", value.ToString());
    }

    [Fact]
    public void Indents()
    {
        var value = JsonReader.Read("{\"a\":[1,2],\"b\":{}}");
        Assert.Equal("{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {}\n}", JsonWriter.Write(value, 2));
    }

    [Theory]
    [InlineData("store.books[0].title", "[\"A\"]")]
    [InlineData("store.books[-1].title", "[\"C\"]")]
    [InlineData("store.books[*].price", "[1,2,3]")]
    [InlineData("..price", "[1,2,3,9]")]
    [InlineData("store.bike.colour", "[\"red\"]")]
    [InlineData("store.books[7]", "[]")]
    [InlineData("store.nothing.at.all", "[]")]
    [InlineData("store[0]", "[]")]
    public void Finds_by_path(string path, string expected)
    {
        var root = JsonReader.Read("""
            { "store": { "books": [ { "title": "A", "price": 1 }, { "title": "B", "price": 2 }, { "title": "C", "price": 3 } ],
              "bike": { "colour": "red", "price": 9 } } }
            """);
        Assert.Equal(expected, JsonValue.Array([.. JsonPath.Select(root, path)]).ToString());
    }

    [Theory]
    [InlineData("a[")]
    [InlineData("a[x]")]
    [InlineData("a..")]
    public void Refuses_malformed_paths(string path)
    {
        Assert.Throws<FormatException>(() => JsonPath.First(JsonValue.Object(("a", JsonValue.Array())), path));
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 150, MemberType = typeof(Seeds))]
    public void Any_value_survives_the_round_trip(int seed)
    {
        var value = RandomValue(new Chance(seed), 4);
        Assert.Equal(value, JsonReader.Read(JsonWriter.Write(value)));
        Assert.Equal(value, JsonReader.Read(JsonWriter.Write(value, 4)));
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 100, MemberType = typeof(Seeds))]
    public void Agrees_with_the_library_of_dotnet(int seed)
    {
        string text = JsonWriter.Write(RandomValue(new Chance(seed + 500), 4));
        using var theirs = JsonDocument.Parse(text);
        Assert.Equal(theirs.RootElement.ValueKind == JsonValueKind.Array, JsonReader.Read(text).Kind == JsonKind.Array);
        Assert.True(JsonNode.DeepEquals(JsonNode.Parse(text), JsonNode.Parse(JsonReader.Read(text).ToString())));
    }

    private static JsonValue RandomValue(Chance chance, int depth)
    {
        switch (chance.Next(depth > 0 ? 8 : 5))
        {
            case 0:
                return JsonValue.Null;
            case 1:
                return chance.Next(2) == 0;
            case 2:
                return chance.Between(-1000, 1000);
            case 3:
                return chance.Real(-1, 1);
            case 4:
                return chance.Word(12, "ab \"\\\n\té€\u0001/");
            case 5:
                return JsonValue.Array([.. Enumerable.Range(0, chance.Next(6)).Select(_ => RandomValue(chance, depth - 1))]);
            default:
                return JsonValue.Object([.. Enumerable.Range(0, chance.Next(6)).Select(i => ($"{chance.Word(5)}{i}", RandomValue(chance, depth - 1)))]);
        }
    }
}
