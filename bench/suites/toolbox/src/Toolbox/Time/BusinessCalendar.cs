namespace Toolbox.Time;

/// <summary>Which days are worked on.</summary>
public sealed class BusinessCalendar
{
    private readonly Dictionary<int, HashSet<Date>> _holidaysByYear = [];
    private readonly List<Func<int, Date>> _rules = [];

    public static BusinessCalendar Western()
    {
        return new BusinessCalendar()
            .Holiday(y => new Date(y, 1, 1))
            .Holiday(y => new Date(y, 5, 1))
            .Holiday(y => new Date(y, 12, 25))
            .Holiday(y => new Date(y, 12, 26))
            .Holiday(y => Date.EasterSunday(y).AddDays(-2))
            .Holiday(y => Date.EasterSunday(y).AddDays(1));
    }

    public BusinessCalendar Holiday(Func<int, Date> rule)
    {
        _rules.Add(rule);
        _holidaysByYear.Clear();
        return this;
    }

    public bool IsHoliday(Date date)
    {
        if (!_holidaysByYear.TryGetValue(date.Year, out var holidays))
        {
            holidays = _rules.Select(rule => rule(date.Year)).ToHashSet();
            _holidaysByYear[date.Year] = holidays;
        }

        return holidays.Contains(date);
    }

    public bool IsBusinessDay(Date date) => !date.IsWeekend && !IsHoliday(date);

    public Date AddBusinessDays(Date date, int days)
    {
        int step = Math.Sign(days);
        while (days != 0)
        {
            date = date.AddDays(step);
            if (IsBusinessDay(date))
            {
                days -= step;
            }
        }

        return date;
    }

    public int BusinessDaysBetween(Date from, Date to)
    {
        int count = 0;
        for (var date = from; date < to; date = date.AddDays(1))
        {
            count += IsBusinessDay(date) ? 1 : 0;
        }

        return count;
    }
}
