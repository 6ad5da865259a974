namespace Pebble.Tests;

/// <summary>Runs a script, and says what it printed.</summary>
internal static class Scripts
{
    public static string Run(string source) => new Interpreter().Run(source).TrimEnd('\n');
}
