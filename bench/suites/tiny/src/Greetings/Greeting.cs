namespace Greetings;

/// <summary>What a program says to whom it meets.</summary>
public static class Greeting
{
    public static string For(string? name, TimeOnly time)
    {
        string words = time.Hour switch
        {
            < 5 => "Good night",
            < 12 => "Good morning",
            < 18 => "Good afternoon",
            _ => "Good evening",
        };
        return string.IsNullOrWhiteSpace(name) ? words + "!" : $"{words}, {name.Trim()}!";
    }
}
