using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;
using Base;
using Library;
using Xunit;

namespace Suite;

public class EndpointTests
{
    static string Roles(ICustomAttributeProvider of) => string.Join(",", of.GetCustomAttributes(typeof(RoleAttribute), false).Cast<RoleAttribute>().Select(r => r.Name));

    [Fact] public void Lambda_has_a_role() => Assert.Equal("admin", Roles(Endpoints.Show().Method));
    [Fact] public void Parameter_of_a_lambda() => Assert.Equal("number ", Endpoints.Twice().Method.GetParameters()[0].Name + " " + Roles(Endpoints.Twice().Method.GetParameters()[0]));
    [Fact] public void Return_of_a_lambda() => Assert.Equal("told", Roles(Endpoints.Told().Method.ReturnParameter));
    [Fact] public void Implementation_of_a_lambda() => Assert.True(Endpoints.Kept().Method.MethodImplementationFlags.HasFlag(MethodImplAttributes.NoInlining));
    [Fact] public void Default_of_a_lambda() => Assert.Equal(3, Endpoints.Otherwise().Method.GetParameters()[0].DefaultValue);
    [Fact] public void Local_function_has_a_role() => Assert.Equal("local", Roles(Endpoints.Local().Method));
    [Fact] public void Parameter_of_a_local_function() => Assert.Equal("left left", Endpoints.Local().Method.GetParameters()[0].Name + " " + Roles(Endpoints.Local().Method.GetParameters()[0]));
}

public class ScanTests
{
    static Assembly Here => Assembly.Load("Library");
    static Assembly There => Assembly.Load("Base");

    [Fact] public void Handlers() => Assert.Equal("OrderHandler", Scan.Handlers(Here));
    [Fact] public void Handlers_elsewhere() => Assert.Equal("FarHandler", Scan.Handlers(There));
    [Fact] public void Public_types() => Assert.Equal(6, Scan.Public(Here));
    [Fact] public void Sealed_types() => Assert.Equal("Closed", Scan.Sealed(Here));
    [Fact] public void Roles() => Assert.Equal("first found", Scan.Roles(Here));
    [Fact] public void Roles_of_methods() => Assert.Equal("run", Scan.MethodRoles(Here));
    [Fact] public void Properties() => Assert.Equal(1, Scan.Properties(Here));
    [Fact] public void Bases() => Assert.Equal("Root", Scan.Bases(Here));
    [Fact] public void Type_by_name() => Assert.Equal("found", Finding.RoleOf("Library.Found, Library"));
    [Fact] public void Type_of_an_assembly() => Assert.Equal("found", Finding.RoleIn(Here, "Library.Found"));
    [Fact] public void Generic_parameters() => Assert.Equal("TLeft,TRight", Finding.GenericParameters());
    [Fact] public void Method_by_name() => Assert.True(Finding.HasOld());
    [Fact] public void Number_of_methods() => Assert.Equal(2, Finding.Methods());
    [Fact] public void Number_of_private_methods() => Assert.Equal(0, Finding.PrivateMethods());
}

public class MakingTests
{
    [Fact] public void Constructor_of_json() => Assert.Equal("empty", Making.Read("{\"Text\":\"a\"}")!.Made);
    [Fact] public void Total_of_a_note() => Assert.Equal(0, Making.Load("<Note xmlns=\"http://schemas.datacontract.org/2004/07/Library\"><Number>4</Number></Note>").Total);
    [Fact] public void Hidden_constructor() => Assert.ThrowsAny<Exception>(() => Making.Make<Secret>());
}

public class IdentityTests
{
    [Fact] public void First_shape() => Assert.Equal("{ id = 1 }", Nameless.First().ToString());
    [Fact] public void Second_shape() => Assert.Equal("{ key = 1 }", Nameless.Second().ToString());
    [Fact] public void Third_shape() => Assert.Equal("id", Nameless.Third().GetType().GetProperties()[0].Name);
    [Fact] public void Open_in_a_type() => Assert.Equal("closed", Box<int>.Whole());
    [Fact] public void Open_in_a_method() => Assert.Equal("closed", Box<int>.Of<string>());
    [Fact] public void Home_of_a_type() => Assert.Equal("Base", Moved.Home);
    [Fact] public void Trimmed_by_the_framework() => Assert.Equal("System.Private.CoreLib", Shadow.Home());
}

public static class Shadow
{
    public static string Home() => typeof(System.Version).Assembly.GetName().Name!;
}

public class OrderTests
{
    [Fact] public void Properties_of_json() => Assert.Equal("{\"Name\":\"n\",\"Age\":3,\"Part\":null}", Zoo.Write(new Card()));
    [Fact] public void Properties_of_a_part() => Assert.Equal("{\"Name\":\"n\",\"Age\":3,\"Part\":{\"Depth\":4}}", Zoo.Write(System.Text.Json.JsonSerializer.Deserialize<Card>("{\"Part\":{}}")!));
    [Fact] public void Offset_of_a_field() => Assert.Equal(8, Sizes.Offset());
    [Fact] public void Size_of_a_layout() => Assert.Equal(16, Sizes.Marshalled());
    [Fact] public void Size_of_what_is_around() => Assert.Equal(24, Sizes.Plain());
    [Fact] public void Size_of_a_buffer() => Assert.Equal(4, Sizes.OfBuffer());
    [Fact] public void Variant_cast() => Assert.Equal("text", ((IProducer<object>)new Producer()).Get());
    [Fact] public void Interfaces_in_order() => Assert.Equal("IFirst,ISecond", Names.Interfaces(typeof(Both)));
    [Fact] public void Fields_in_order() => Assert.Equal("Small,Large", Names.Fields(typeof(Layout)));
    [Fact] public void Duplicate_of_an_enum() => Assert.Equal("View", Names.Of(Rights.Read));
}

public class NativeTests
{
    [Fact] public void Result_is_marshalled() => Assert.True(Native.IsAny(256));
    [Fact] public void Entry_point() => Assert.Equal('A', Native.Changed('a'));
}

public class ZooTests
{
    [Fact] public void Dog_by_its_animal() => Assert.Equal("{\"$type\":\"dog\",\"Legs\":4,\"Sound\":\"wau\"}", Zoo.Again("{\"$type\":\"dog\",\"Sound\":\"wau\"}"));
    [Fact] public void Rose_by_its_plant() =>
        Assert.Equal("Thorns=6", Zoo.Fields(Zoo.Grow("<Plant xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:type=\"Rose\"/>")));
    [Fact] public void Described() => Assert.Equal("Name,Age,Part", Zoo.Describe(typeof(Card)));
    [Fact] public void Inner_is_described() => Assert.Equal("Depth", Zoo.Describe(typeof(Card).GetProperty("Part")!.PropertyType));
    [Fact] public void Converter() => Assert.Equal("StringConverter", Traced.Converted(new Library.Convertible()));
}

public class SmallTests
{
    [Fact] public void Names_of_a_tuple() => Assert.Equal("Low,High", Tuples.Names());
    [Fact] public void Shown_by_a_debugger() => Assert.Equal("shown {Value}", typeof(Shown).GetCustomAttribute<DebuggerDisplayAttribute>()!.Value);
    [Fact] public void A_place_is_a_value() => Assert.Equal(7, typeof(Placed).GetMethod("Here")!.GetCustomAttribute<PlaceAttribute>()!.Line);
    [Fact] public void A_file_is_a_value() => Assert.Equal("Template.cs", typeof(Placed).GetMethod("Here")!.GetCustomAttribute<PlaceAttribute>()!.File);
    [Fact] public void Bound_late() => Assert.Equal("object", Late.Say(new Speaker(), "text"));
    [Fact] public void Invoked_by_name() => Assert.Equal("int", Late.Call(new Speaker(), "Tell"));
    [Fact] public void Name_of_a_frame() => Assert.Equal("Where", Traced.Where());
    [Fact] public void Names_of_an_enum() => Assert.Equal("Red,Green,Blue", string.Join(",", Names.All(typeof(Colour))));
    [Fact] public void Parsed() => Assert.Equal(2, (int)Names.Parsed(typeof(Colour), "Blue"));
    [Fact] public void Constants_by_reflection() => Assert.Equal("3,title", Names.Constants(typeof(Settings)));
    [Fact] public void Nullability() => Assert.Equal("NotNull,Nullable", Names.Nullable(typeof(Maybe)));
}
