using System.Text;

namespace Toolbox.Time;

/// <summary>Lengths of time as people write them: 1d 2h 30m 5s.</summary>
public static class Duration
{
    private static readonly (char Unit, long Seconds)[] s_units = [('w', 604_800), ('d', 86_400), ('h', 3_600), ('m', 60), ('s', 1)];

    public static TimeSpan Parse(ReadOnlySpan<char> text)
    {
        long seconds = 0;
        int lastUnit = -1;
        bool any = false;
        text = text.Trim();
        while (!text.IsEmpty)
        {
            int digits = 0;
            while (digits < text.Length && char.IsAsciiDigit(text[digits]))
            {
                digits++;
            }

            if (digits == 0 || digits == text.Length)
            {
                throw new FormatException($"expected a number and a unit, found \"{text}\"");
            }

            int unit = UnitIndex(text[digits]);
            if (unit <= lastUnit)
            {
                throw new FormatException($"the unit {text[digits]} is unknown or not in order");
            }

            seconds += long.Parse(text[..digits]) * s_units[unit].Seconds;
            lastUnit = unit;
            any = true;
            text = text[(digits + 1)..].TrimStart();
        }

        return any ? TimeSpan.FromSeconds(seconds) : throw new FormatException("no duration");
    }

    public static string Format(TimeSpan duration)
    {
        long seconds = (long)duration.TotalSeconds;
        if (seconds == 0)
        {
            return "0s";
        }

        var text = new StringBuilder(seconds < 0 ? "-" : "");
        seconds = Math.Abs(seconds);
        foreach (var (unit, length) in s_units)
        {
            if (seconds >= length)
            {
                text.Append(text.Length > 1 ? " " : "").Append(seconds / length).Append(unit);
                seconds %= length;
            }
        }

        return text.ToString();
    }

    public static string Roughly(TimeSpan duration) => duration switch
    {
        { TotalSeconds: < 45 } => "a moment",
        { TotalMinutes: < 1.5 } => "a minute",
        { TotalMinutes: < 45 } => $"{duration.TotalMinutes:0} minutes",
        { TotalHours: < 1.5 } => "an hour",
        { TotalHours: < 22 } => $"{duration.TotalHours:0} hours",
        { TotalDays: < 1.5 } => "a day",
        { TotalDays: < 45 } => $"{duration.TotalDays:0} days",
        { TotalDays: < 345 } => $"{duration.TotalDays / 30:0} months",
        _ => $"{duration.TotalDays / 365:0} years",
    };

    private static int UnitIndex(char unit)
    {
        for (int i = 0; i < s_units.Length; i++)
        {
            if (s_units[i].Unit == unit)
            {
                return i;
            }
        }

        return -1;
    }
}
