using System.Collections;
using System.Runtime.CompilerServices;
using Base;
using Library;
using Xunit;

namespace Suite;

public class VirtualTests
{
    [Fact] public void Default_of_an_interface() => Assert.Equal("hello you", ((IGreeting)new Greeting()).Greet());
    [Fact] public void Another_default() => Assert.Equal("bye you", ((IGreeting)new Greeting()).Leave());
    [Fact] public void Override() => Assert.Equal(4, Sided(new Square()));
    [Fact] public void No_override() => Assert.Equal(0, Sided(new Circle()));
    [Fact] public void No_override_below() => Assert.Equal(0, Sided(new Disc()));
    [Fact] public void Copy() => Assert.Equal("Circle", new Circle().Copy().GetType().Name);
    [Fact] public void Generic_virtual() => Assert.Equal("shape 3", ((Shape)new Square()).Tell(3));
    [Fact] public void Static_abstract() => Assert.Equal(3, Sums.Of<Plain>());
    [Fact] public void Static_virtual() => Assert.Equal(4, Sums.Of<Own>());
    [Fact] public void Filled_template() => Assert.Equal("before filled", new Filled().Run());
    [Fact] public void Refilled_template() => Assert.Equal("before filled", new Refilled().Run());
    [Fact] public void Text_of_a_shape() => Assert.Equal("Library.Square", new Square().ToString());
    [Fact] public void Boxed_text() => Assert.Equal("Library.Small", string.Format("{0}", new Small()));
    [Fact] public void Enumerated() => Assert.Equal(2, Counted(new Listing { 1, 2 }));
    [Fact] public void Extra() => Assert.Equal(3, new Listing { 1, 2 }.Extra);
    [Fact] public void Disposed()
    {
        Disposing.Count = 0;
        using (new Disposing()) { }
        Assert.Equal(1, Disposing.Count);
    }
    static int Sided(Shape shape) => shape.Sides;
    static int Counted(IEnumerable all)
    {
        int count = 0;
        foreach (var _ in all)
            count++;
        return count;
    }
}

public class CallTests
{
    [Fact] public void Conversion() => Assert.Equal(7, Calling.Length(new Metre(7)));
    [Fact] public void Explicit_conversion() => Assert.Equal(8, ((Metre)8L).Value);
    [Fact] public void Overload() => Assert.Equal("longany", Calling.Take());
    [Fact] public void Rest() => Assert.Equal("rest 2", Calling.Rest());
    [Fact] public void Extension() => Assert.Equal("ababshort", Calling.Twice());
    [Fact] public void Overload_of_a_test() => Assert.Equal("long", Taking.Take(4));
    [Fact] public void Default_of_a_parameter() => Assert.Equal("kept 7", Calling.Kept());
    [Fact] public void Constant() => Assert.Equal(10, Calling.Most());
    [Fact] public void Constant_of_a_test() => Assert.Equal(10, Limits.Most);
    [Fact] public void Static_value() => Assert.Equal(2, Calling.Least());
    [Fact] public void Value_of_an_enum() => Assert.True(Calling.IsRed(0));
    [Fact] public void Caller() => Assert.Equal("ToldTrue", Calling.Told());
    [Fact] public void Argument() => Assert.Equal("number + 1", Calling.Expression(1));
    [Fact] public void Own_default() => Assert.Equal(5, Calling.Defaulted());
    [Fact] public void Arguments_in_order() => Assert.Equal(4, Calling.Named());
    [Fact] public void Interpolated() => Assert.Equal("x <4>", Logging.Both(4));
    [Fact] public void Partial_method() => Assert.Equal("made", new Split().Told);
    [Fact] public void Event() { var e = new Events(); e.Changed += x => x + 1; Assert.Equal(3, e.Fire(2)); }
    [Fact] public void No_event() => Assert.Equal(-1, new Events().Fire(2));
    [Theory]
    [InlineData(11, "large")]
    [InlineData(1, "int")]
    [InlineData("abc", "three")]
    [InlineData(null, "null")]
    [InlineData(2.5, "other")]
    public void Switched(object? value, string expected) => Assert.Equal(expected, Switching.Of(value!));
    [Fact] public void Switched_lists() => Assert.Equal("list", Switching.Of(new[] { 1, 2, 3 }));
    [Fact] public void Switched_points() => Assert.Equal("axis", Switching.Of(new Point(0, 1)));
}

public class DataTests
{
    [Fact] public void Array() => Assert.Equal(3, Statics.Third());
    [Fact] public void Bytes() => Assert.Equal(97, Statics.FirstByte());
    [Fact] public void Stack() => Assert.Equal(5, Statics.Stacked());
    [Fact] public void Property() => Assert.Equal("text", Statics.Get());
    [Fact] public void First_closure() => Assert.Equal(5, Closures.Both(2)[0](3));
    [Fact] public void Second_closure() => Assert.Equal(1, Closures.Both(2)[1](3));
    [Fact] public void Local_function() => Assert.Equal(5, Closures.Counted());
    [Fact] public void Iterator() => Assert.Equal([3, 5], Closures.Steps(3));
    [Fact] public async Task Async() => Assert.Equal("v22", await Closures.Later(2));
    [Fact] public void Query() => Assert.Equal(10, Closures.Folded([1, 2, 3]));
    [Fact] public void File_local() => Assert.Equal("file", Files.Name());
    [Fact] public void Caught() => Assert.Equal("argument", Catching.Caught(0));
    [Fact] public void Filtered() => Assert.Equal("filtered", Catching.Caught(1));
    [Fact] public void Finally() { Catching.Caught(2); Assert.Equal(2, Catching.Last); }
    [Fact] public void Default_of_a_struct() => Assert.Equal(0, default(Outer).Inner.Left);
    [Fact] public void Size_of_a_struct() => Assert.Equal(12, Unsafe.SizeOf<Outer>());
    [Fact] public void Made_struct() => Assert.Equal(1, new Small().Left);
    [Fact] public void Initialised() => Assert.Equal(2, new Fields { Name = "n" }.Start);
    [Fact] public void Init_only() => Assert.Equal(9, new Fields { Name = "n" }.End);
    [Fact] public void Record_text() => Assert.Equal("Point { X = 1, Y = 2 }", new Point(1, 2).ToString());
    [Fact] public void Record_equal() => Assert.Equal(new Point(1, 2), new Point(1, 2));
    [Fact] public void Record_struct() => Assert.Equal("Pair2 { A = 1, B = 2 }", new Pair2(1, 2).ToString());
    [Fact] public void Deep_record() => Assert.Equal("Deep { X = 1, Y = 2, Z = 3 }", new Deep(1, 2, 3).ToString());
    [Fact] public void Equal_texts() => Assert.True(new Text().Equals((object)new Text()));
    [Fact] public void Hash() => Assert.Equal(1, new Text().GetHashCode());
}

public class OnceTests
{
    [Fact] public void Lazy() => Assert.Equal("lazy", Once.Lazily());
    [Fact] public void Lazy_again() => Assert.Equal("lazy", Once.Lazily());
    [Fact] public void Found() => Assert.Equal("found", Once.Found());
    [Fact] public void Found_again() => Assert.Equal("found", Once.Found());
    [Fact] public void Locked() => Assert.Equal("locked", Once.Locked());
    [Fact] public void Locked_again() => Assert.Equal("locked", Once.Locked());
}

public class LeftTests
{
    [Fact] public void Group() => Assert.Equal("group", Left.OfGroup());
    [Fact] public void Group_again() => Assert.Equal("group", Left.OfGroup());
    [Fact] public void Exchanged() => Assert.Equal("exchanged", Left.Exchanged());
    [Fact] public void Exchanged_again() => Assert.Equal("exchanged", Left.Exchanged());
    [Fact] public void Given() => Assert.Equal("given", Left.Given());
    [Fact] public void Given_again() => Assert.Equal("given", Left.Given());
    [Fact] public void Held() => Assert.Equal("held", Left.Held());
    [Fact] public void Held_again() => Assert.Equal("held", Left.Held());
    [Fact] public void Generic() => Assert.Equal("generic", Left.Generic());
    [Fact] public void Generic_again() => Assert.Equal("generic", Left.Generic());
    [Fact] public void Heard() => Assert.Equal("heard", Left.IsHeard());
    [Fact] public void Heard_again() => Assert.Equal("heard", Left.IsHeard());
    [Fact] public void Cached() => Assert.Equal("cached", Left.Cached());
    [Fact] public void Cached_again() => Assert.Equal("cached", Left.Cached());
    [Fact] public void Added() => Assert.Equal("added", Left.Added());
    [Fact] public void Added_again() => Assert.Equal("added", Left.Added());
    [Fact] public void Slot() => Assert.Equal("slot", Left.Slot());
    [Fact] public void Slot_again() => Assert.Equal("slot", Left.Slot());
    [Fact] public void Weak() => Assert.Equal("weak", Left.OfType());
    [Fact] public void Weak_again() => Assert.Equal("weak", Left.OfType());
    [Fact] public void Of_local() => Assert.Equal("of a local", Left.Local());
    [Fact] public void Of_local_again() => Assert.Equal("of a local", Left.Local());
    [Fact] public void Of_one() => Assert.Equal("of one", Left.OfOne());
    [Fact] public void Of_one_again() => Assert.Equal("of one", Left.OfOne());
    [Fact] public void Late_of_one() => Assert.Equal("late of one", Left.LateOfOne());
    [Fact] public void Late_of_one_again() => Assert.Equal("late of one", Left.LateOfOne());
}

public class Remembering
{
    string? _text;
    public string Text => _text ??= Sources.OfFixture();
}

public class RememberingTests(Remembering fixture) : IClassFixture<Remembering>
{
    [Fact] public void Of_fixture() => Assert.Equal("of a fixture", fixture.Text);
    [Fact] public void Of_fixture_again() => Assert.Equal("of a fixture", fixture.Text);
}

[TestCaseOrderer("Suite.ByName", "Suite")]
public class LeavingTests
{
    [Fact] public void Sets_a_mode() => Leaving.Mode();
    [Fact] public void Sets_what_is_said() => Leaving.Said();
    [Fact] public void Sets_a_part() => Leaving.Part();
    [Fact] public void Sets_an_entry() => Leaving.Entry();
    [Fact] public void Sets_a_place() => Leaving.Place();
    [Fact] public void Sets_a_field() => Leaving.Field();
    [Fact] public void Sets_a_text() => Leaving.Text();
    [Fact] public void Then_a_mode() => Assert.Equal("mode", Left.Mode());
    [Fact] public void Then_what_is_said() => Assert.Equal("said", Left.Say());
    [Fact] public void Then_a_part() => Assert.Equal("part", Left.Part());
    [Fact] public void Then_an_entry() => Assert.Equal("entry", Left.Entry());
    [Fact] public void Then_a_place() => Assert.Equal("place", Left.Place());
    [Fact] public void Then_a_field() => Assert.Equal("field", Left.Field());
    [Fact] public void Then_a_text() => Assert.Equal("text", Left.AllTexts());
}

public class ByName : Xunit.Sdk.ITestCaseOrderer
{
    public IEnumerable<T> OrderTestCases<T>(IEnumerable<T> cases) where T : Xunit.Abstractions.ITestCase => cases.OrderBy(c => c.DisplayName, StringComparer.Ordinal);
}

public class ThingTests : DescribedTests
{
    protected override string Describe() => "thing " + Start;
}

public class FixtureTests(Counter counter) : IClassFixture<Counter>
{
    [Fact] public void Uses_a_fixture() => Assert.Equal(5, counter.Next);
}

public class RowTests
{
    public static IEnumerable<object[]> Rows => [[1, 2], [2, 3]];
    [Theory, MemberData(nameof(Rows))] public void Of_a_member(int a, int b) => Assert.Equal(a + 1, b);
    [Theory, ClassData(typeof(Source))] public void Of_a_class(int a, int b) => Assert.Equal(a + 1, b);
    [Theory, InlineData(1), InlineData(2)] public void Of_attributes(int a) => Assert.True(a < 3);
    [Theory, MemberData(nameof(Far.Rows), MemberType = typeof(Far))] public void Of_another(int a) => Assert.True(a < 3);
}

public class Source : IEnumerable<object[]>
{
    public IEnumerator<object[]> GetEnumerator()
    {
        yield return [1, 2];
    }
    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}

public static class Far
{
    public static TheoryData<int> Rows => new() { 1, 2 };
}

public class FileTests
{
    static string Text(string name) => File.ReadAllText(Path.Combine(Path.GetDirectoryName(typeof(FileTests).Assembly.Location)!, name));
    [Fact] public void Log() => Assert.Equal("log\n", Text("data/some.log"));
    [Fact] public void Results() => Assert.Equal("trx\n", Text("data/some.trx"));
    [Fact] public void Folder() => Assert.Equal("result\n", Text("data/TestResults/kept.txt"));
    [Fact] public void Json() => Assert.Equal("{}\n", Text("data/some.json"));
    [Fact] public void No_file() => Assert.Equal(4, 2 + 2);
}

public class OwnTests
{
    int _ready = 1;
    public OwnTests() { _ready++; }
    [Fact] public void Set_up() => Assert.Equal(2, _ready);
    [Fact] public void Helped() => Assert.Equal(6, Helper.Three() * 2);
}

public static class Helper
{
    public static int Three() => 3;
}

[Collection("shared")]
public class SharedTests(Shared shared)
{
    [Fact] public void Uses_a_collection() => Assert.Equal(8, shared.Value);
}

public class Shared
{
    public int Value = 8;
}

[CollectionDefinition("shared")]
public class SharedCollection : ICollectionFixture<Shared> { }
