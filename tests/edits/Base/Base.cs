// What the other two assemblies derive from, and what is looked for in an assembly that has no tests.
using System.Reflection;
using Xunit;

namespace Base;

public interface IHandler { }

[AttributeUsage(AttributeTargets.All, AllowMultiple = true)]
public sealed class RoleAttribute(string name) : Attribute
{
    public string Name { get; } = name;
}

public class FarHandler : IHandler { }

public class FarIdle { }

public static class Scan
{
    public static string Handlers(Assembly assembly) => string.Join(" ", assembly.GetTypes().Where(t => t.IsClass && typeof(IHandler).IsAssignableFrom(t)).Select(t => t.Name).Order());
    public static int Public(Assembly assembly) => assembly.GetTypes().Count(t => t.IsPublic && t.Namespace == "Scanned");
    public static string Sealed(Assembly assembly) => string.Join(" ", assembly.GetTypes().Where(t => t.Namespace == "Scanned" && t.IsSealed && !t.IsAbstract).Select(t => t.Name).Order());
    public static string Roles(Assembly assembly) => string.Join(" ", assembly.GetTypes().SelectMany(t => t.GetCustomAttributes<RoleAttribute>()).Select(r => r.Name).Order());
    public static string MethodRoles(Assembly assembly) =>
        string.Join(" ", assembly.GetTypes().Where(t => t.Namespace == "Scanned").SelectMany(t => t.GetMethods()).SelectMany(m => m.GetCustomAttributes<RoleAttribute>()).Select(r => r.Name).Order());
    public static int Properties(Assembly assembly) => assembly.GetTypes().Where(t => t.Namespace == "Scanned").Sum(t => t.GetProperties().Length);
    public static string Bases(Assembly assembly) => string.Join(" ", assembly.GetTypes().Where(t => t.Namespace == "Scanned").Select(t => t.BaseType?.Name).Where(n => n != "Object").Order());
}

/// Tests that every derived class inherits, with what they set up.
public abstract class DescribedTests
{
    protected int Start = 1;

    protected DescribedTests()
    {
        Start += 1;
    }

    protected abstract string Describe();

    [Fact]
    public void Is_described() => Assert.Equal("thing 2", Describe());
}

public class Counter : IDisposable
{
    public int Next { get; set; } = 5;
    public void Dispose() { }
}

public abstract class Shape
{
    public virtual int Sides => 0;
    public virtual Shape Copy() => this;
    public virtual string Tell<T>(T value) => "shape " + value;
}

public interface IGreeting
{
    string Name { get; }
    string Greet() => "hello " + Name;
    string Leave() => "bye " + Name;
}

public static class Limits
{
    public const int Most = 10;
    public static readonly int Least = 2;
    public static string Kept(int value = 7) => "kept " + value;
}

public enum Colour
{
    Red,
    Green,
    Blue,
}

[Flags]
public enum Rights
{
    None = 0,
    Read = 1,
    View = 1,
    Write = 2,
}

public class Moved
{
    public static string Home => typeof(Moved).Assembly.GetName().Name!;
}
