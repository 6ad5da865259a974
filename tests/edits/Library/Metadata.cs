// What only reflection, serialisers and the like see.
using System.ComponentModel;
using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Serialization;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Xml.Serialization;
using Base;

namespace Scanned
{
    public class OrderHandler : IHandler
    {
        public int Size { get; set; }

        [Role("run")]
        public void Run() { }
    }

    public class IdleHandler
    {
        public void Wait() { }
    }

    [Role("first")]
    public class Marked { }

    public sealed class Closed { }

    internal class Hidden { }

    public class Root { }

    public class Leaf : Root { }
}

namespace Library
{
    public static class Endpoints
    {
        public static Delegate Show() => [Role("admin")] (int id) => id;

        public static Delegate Twice() => (int number) => number * 2;

        public static Delegate Told() => [return: Role("told")] (int value) => value;

        public static Delegate Kept() => [MethodImpl(MethodImplOptions.NoInlining)] (int kept) => kept;

        public static Delegate Otherwise() => (int amount = 3) => amount + 1;

        public static Delegate Local()
        {
            [Role("local")]
            static int Add([Role("left")] int left, int right) => left + right;
            return Add;
        }
    }

    public static class Finding
    {
        public static bool HasOld() => typeof(Tools).GetMethod("Old") != null;
        public static int Methods() => typeof(Tools).GetMethods(BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly).Length;
        public static int PrivateMethods() => typeof(Tools).GetMethods(BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.DeclaredOnly).Length;
        public static string? RoleOf(string type) => Type.GetType(type)?.GetCustomAttribute<RoleAttribute>()?.Name;
        public static string? RoleIn(Assembly assembly, string type) => assembly.GetType(type)?.GetCustomAttribute<RoleAttribute>()?.Name;
        public static string GenericParameters() => string.Join(",", typeof(Pair<,>).GetGenericArguments().Select(a => a.Name));
    }

    public static class Tools
    {
        public static int Old() => 1;
        public static int New() => 2;
    }

    [Role("found")]
    public class Found { }

    public class Pair<TLeft, TRight> { }

    public class Letter
    {
        public Letter() { Made = "empty"; }
        public Letter(string text) { Text = text; Made = "text"; }
        public string Text { get; set; } = "none";
        [JsonIgnore] public string Made { get; set; } = "";
    }

    [DataContract]
    public class Note
    {
        [DataMember] public int Number { get; set; }
        public int Total;
    }

    public class Secret
    {
        public Secret(int number = 1) { Number = number; }
        public int Number { get; set; }
    }

    public static class Making
    {
        public static Letter? Read(string json) => JsonSerializer.Deserialize<Letter>(json);
        public static T Make<T>() => (T)Activator.CreateInstance(typeof(T), nonPublic: true)!;
        public static Note Load(string xml)
        {
            using var reader = System.Xml.XmlReader.Create(new StringReader(xml));
            return (Note)new DataContractSerializer(typeof(Note)).ReadObject(reader)!;
        }
    }

    public static class Nameless
    {
        public static object First() => new { id = 1 };
        public static object Second() => new { key = 1 };
        public static object Third() => new { id = 1 };
    }

    public class Box<T>
    {
        public static string Whole() => typeof(Box<T>).ContainsGenericParameters ? "open" : "closed";
        public static string Of<TOther>() => typeof(Box<TOther>).ContainsGenericParameters ? "open" : "closed";
    }

    public class Card
    {
        public string Name { get; set; } = "n";
        public int Age { get; set; } = 3;
        public Inner? Part { get; set; }
    }

    public class Inner
    {
        public int Depth { get; set; } = 4;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Layout
    {
        public byte Small;
        public long Large;
    }

    public struct Around
    {
        public Layout Inside;
        public byte After;
    }

    public interface IProducer<out T> { T Get(); }

    public class Producer : IProducer<string>, IProducer<Version>
    {
        string IProducer<string>.Get() => "text";
        Version IProducer<Version>.Get() => new(1, 0);
    }

    public interface IFirst { }

    public interface ISecond { }

    public class Both : IFirst, ISecond { }

    public unsafe struct Buffer
    {
        public fixed byte Data[4];
    }

    public static class Sizes
    {
        public static unsafe int OfBuffer() => sizeof(Buffer);
        public static int Plain() => Unsafe.SizeOf<Around>();
        public static int Offset() => (int)Marshal.OffsetOf<Layout>("Large");
        public static int Marshalled() => Marshal.SizeOf<Layout>();
    }

    public static partial class Native
    {
        [DllImport("libc", EntryPoint = "abs")]
        public static extern bool IsAny(int number);

        [DllImport("libc", EntryPoint = "toupper")]
        public static extern int Changed(int letter);
    }

    [JsonDerivedType(typeof(Dog), "dog")]
    public class Animal
    {
        public string Sound { get; set; } = "none";
    }

    public class Dog : Animal
    {
        public int Legs { get; set; } = 4;
    }

    [XmlInclude(typeof(Rose))]
    public class Plant { }

    public class Rose : Plant
    {
        public int Thorns = 6;
    }

    public static class Zoo
    {
        public static string Again(string json) => JsonSerializer.Serialize(JsonSerializer.Deserialize<Animal>(json));
        public static string Write(object value) => JsonSerializer.Serialize(value);
        public static Plant Grow(string xml) => (Plant)new XmlSerializer(typeof(Plant)).Deserialize(new StringReader(xml))!;
        public static string Fields(Plant plant) => string.Join(",", plant.GetType().GetFields().Select(f => f.Name + "=" + f.GetValue(plant)));
        public static string Describe(Type type) => string.Join(",", TypeDescriptor.GetProperties(type).Cast<PropertyDescriptor>().Select(p => p.Name + (p.IsReadOnly ? "!" : "")));
    }

    public static class Tuples
    {
        public static (int Low, int High) Range() => (1, 2);
        public static string Names() => string.Join(",", typeof(Tuples).GetMethod("Range")!.ReturnParameter.GetCustomAttribute<TupleElementNamesAttribute>()!.TransformNames);
    }

    [DebuggerDisplay("shown {Value}")]
    public class Shown
    {
        public int Value = 1;
    }

    public sealed class PlaceAttribute(string file, int line) : Attribute
    {
        public string File { get; } = file;
        public int Line { get; } = line;
    }

    public class Placed
    {
        [Place("Template.cs", 7)]
        public void Here() { }
    }

    public static class Late
    {
        public static string Say(dynamic who, dynamic what) => who.Say(what);
        public static string Call(object on, string name) => (string)on.GetType().InvokeMember(name, BindingFlags.InvokeMethod, null, on, [1])!;
    }

    public class Speaker
    {
        public string Say(object what) => "object";
        public string Tell(int what) => "int";
    }

    public static class Traced
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static string Where() => new StackTrace().GetFrame(0)!.GetMethod()!.Name;

        public static string Converted(object value) => TypeDescriptor.GetConverter(value).GetType().Name;
    }

    [TypeConverter(typeof(StringConverter))]
    public class Convertible { }

    public static class Names
    {
        public static string Of(Enum value) => value.ToString();
        public static string[] All(Type type) => Enum.GetNames(type);
        public static object Parsed(Type type, string text) => Enum.Parse(type, text);
        public static string Interfaces(Type type) => string.Join(",", type.GetInterfaces().Select(i => i.Name));
        public static string Fields(Type type) => string.Join(",", type.GetFields().Select(f => f.Name));
        public static string Constants(Type type) => string.Join(",", type.GetFields().Where(f => f.IsLiteral).Select(f => f.GetRawConstantValue()));
        public static string Nullable(Type type) => string.Join(",", type.GetProperties().Select(p => new NullabilityInfoContext().Create(p).ReadState));
    }

    public static class Settings
    {
        public const int Level = 3;
        public const string Title = "title";
    }

    public class Maybe
    {
        public string Sure { get; set; } = "";
        public string? Unsure { get; set; }
    }
}
