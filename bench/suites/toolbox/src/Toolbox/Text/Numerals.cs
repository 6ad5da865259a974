using System.Text;

namespace Toolbox.Text;

/// <summary>Numbers as people write them.</summary>
public static class Numerals
{
    private static readonly (int Value, string Text)[] s_roman =
    [
        (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
        (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
    ];

    private static readonly string[] s_small =
    [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    ];

    private static readonly string[] s_tens =
        ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

    public static string ToRoman(int number)
    {
        if (number is < 1 or > 3999)
        {
            throw new ArgumentOutOfRangeException(nameof(number));
        }

        var text = new StringBuilder();
        foreach (var (value, letters) in s_roman)
        {
            for (; number >= value; number -= value)
            {
                text.Append(letters);
            }
        }

        return text.ToString();
    }

    public static int FromRoman(string text)
    {
        int number = 0;
        int at = 0;
        foreach (var (value, letters) in s_roman)
        {
            while (string.CompareOrdinal(text, at, letters, 0, letters.Length) == 0)
            {
                number += value;
                at += letters.Length;
            }
        }

        return at == text.Length && number > 0 && ToRoman(number) == text
            ? number
            : throw new FormatException($"{text} is no Roman number");
    }

    public static string ToWords(long number)
    {
        if (number < 0)
        {
            return "minus " + ToWords(-number);
        }

        if (number < 20)
        {
            return s_small[number];
        }

        if (number < 100)
        {
            string tens = s_tens[number / 10];
            return number % 10 == 0 ? tens : $"{tens}-{s_small[number % 10]}";
        }

        var (unit, name) = number switch
        {
            < 1_000 => (100L, "hundred"),
            < 1_000_000 => (1_000L, "thousand"),
            < 1_000_000_000 => (1_000_000L, "million"),
            _ => (1_000_000_000L, "billion"),
        };
        string start = $"{ToWords(number / unit)} {name}";
        long rest = number % unit;
        return rest == 0 ? start : start + (rest < 100 ? " and " : " ") + ToWords(rest);
    }

    public static string Ordinal(int number)
    {
        string ending = (number % 100, number % 10) switch
        {
            (11 or 12 or 13, _) => "th",
            (_, 1) => "st",
            (_, 2) => "nd",
            (_, 3) => "rd",
            _ => "th",
        };
        return $"{number}{ending}";
    }

    public static string Bytes(long count)
    {
        string[] units = ["B", "KiB", "MiB", "GiB", "TiB"];
        double value = count;
        int unit = 0;
        while (Math.Abs(value) >= 1024 && unit < units.Length - 1)
        {
            value /= 1024;
            unit++;
        }

        return unit == 0 ? $"{count} B" : FormattableString.Invariant($"{value:0.0} {units[unit]}");
    }
}
