namespace Toolbox.Time;

public enum Frequency
{
    Daily,
    Weekly,
    Monthly,
    Yearly,
}

/// <summary>A repeated appointment, such as "every 2 weeks on Mon, Thu, 10 times".</summary>
public sealed class Recurrence
{
    public required Date Start { get; init; }

    public required Frequency Frequency { get; init; }

    public int Every { get; init; } = 1;

    public int? Times { get; init; }

    public Date? Until { get; init; }

    public IReadOnlyList<DayOfWeek> Weekdays { get; init; } = [];

    /// <summary>"every [N] day|week|month|year[s] [on Mon, Thu] [N times] [until YYYY-MM-DD]".</summary>
    public static Recurrence Parse(string text, Date start)
    {
        var words = new Queue<string>(text.Split([' ', ','], StringSplitOptions.RemoveEmptyEntries));
        if (!words.TryDequeue(out var first) || first != "every")
        {
            throw new FormatException("a recurrence begins with \"every\"");
        }

        int every = 1;
        if (words.TryPeek(out var next) && int.TryParse(next, out every))
        {
            words.Dequeue();
        }
        else
        {
            every = 1;
        }

        var frequency = (words.TryDequeue(out var unit) ? unit.TrimEnd('s') : "") switch
        {
            "day" => Frequency.Daily,
            "week" => Frequency.Weekly,
            "month" => Frequency.Monthly,
            "year" => Frequency.Yearly,
            var other => throw new FormatException($"no unit \"{other}\""),
        };
        var weekdays = new List<DayOfWeek>();
        int? times = null;
        Date? until = null;
        while (words.TryDequeue(out var word))
        {
            if (word == "on")
            {
                while (words.TryPeek(out var name) && TryWeekday(name, out var weekday))
                {
                    weekdays.Add(weekday);
                    words.Dequeue();
                }
            }
            else if (word == "until" && words.TryDequeue(out var day) && Date.TryParse(day, out var date))
            {
                until = date;
            }
            else if (int.TryParse(word, out int count) && words.TryDequeue(out var what) && what == "times")
            {
                times = count;
            }
            else
            {
                throw new FormatException($"\"{word}\" is not understood");
            }
        }

        return new Recurrence { Start = start, Frequency = frequency, Every = every, Weekdays = weekdays, Times = times, Until = until };
    }

    public IEnumerable<Date> Dates()
    {
        int count = 0;
        foreach (var date in Candidates())
        {
            if (date < Start)
            {
                continue;
            }

            if ((Until is { } last && date > last) || (Times is { } most && count == most))
            {
                yield break;
            }

            count++;
            yield return date;
        }
    }

    private static bool TryWeekday(string name, out DayOfWeek weekday)
    {
        foreach (var candidate in Enum.GetValues<DayOfWeek>())
        {
            if (name.Length >= 3 && candidate.ToString().StartsWith(name, StringComparison.OrdinalIgnoreCase))
            {
                weekday = candidate;
                return true;
            }
        }

        weekday = default;
        return false;
    }

    private IEnumerable<Date> Candidates()
    {
        for (int round = 0; ; round++)
        {
            switch (Frequency)
            {
                case Frequency.Daily:
                    yield return Start.AddDays(round * Every);
                    break;
                case Frequency.Weekly when Weekdays.Count > 0:
                    var sunday = Start.AddDays(-(int)Start.DayOfWeek + (round * Every * 7));
                    foreach (var weekday in Weekdays.Order())
                    {
                        yield return sunday.AddDays((int)weekday);
                    }

                    break;
                case Frequency.Weekly:
                    yield return Start.AddDays(round * Every * 7);
                    break;
                case Frequency.Monthly:
                    yield return Start.AddMonths(round * Every);
                    break;
                default:
                    yield return Start.AddMonths(round * Every * 12);
                    break;
            }
        }
    }
}
