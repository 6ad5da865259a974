namespace Toolbox.Time;

/// <summary>A day of the Gregorian calendar, with arithmetic of its own.</summary>
public readonly record struct Date : IComparable<Date>
{
    private static readonly int[] s_daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

    public Date(int year, int month, int day)
    {
        if (year is < 1 or > 9999 || month is < 1 or > 12 || day < 1 || day > DaysInMonth(year, month))
        {
            throw new ArgumentException($"there is no {year:0000}-{month:00}-{day:00}");
        }

        Year = year;
        Month = month;
        Day = day;
    }

    public int Year { get; }

    public int Month { get; }

    public int Day { get; }

    /// <summary>Days since 0001-01-01, which is 0.</summary>
    public int Number
    {
        get
        {
            int before = Year - 1;
            int days = (before * 365) + (before / 4) - (before / 100) + (before / 400);
            return days + s_daysBefore[Month - 1] + (Month > 2 && IsLeapYear(Year) ? 1 : 0) + Day - 1;
        }
    }

    public DayOfWeek DayOfWeek => (DayOfWeek)((Number + 1) % 7);

    public int DayOfYear => Number - new Date(Year, 1, 1).Number + 1;

    public bool IsWeekend => DayOfWeek is DayOfWeek.Saturday or DayOfWeek.Sunday;

    /// <summary>ISO 8601: weeks begin on Monday, the first is the one with the first Thursday.</summary>
    public (int Year, int Week) IsoWeek
    {
        get
        {
            var thursday = AddDays(3 - (((int)DayOfWeek + 6) % 7));
            return (thursday.Year, ((thursday.DayOfYear - 1) / 7) + 1);
        }
    }

    public static bool operator <(Date a, Date b) => a.CompareTo(b) < 0;

    public static bool operator >(Date a, Date b) => a.CompareTo(b) > 0;

    public static bool operator <=(Date a, Date b) => a.CompareTo(b) <= 0;

    public static bool operator >=(Date a, Date b) => a.CompareTo(b) >= 0;

    public static int operator -(Date a, Date b) => a.Number - b.Number;

    public static bool IsLeapYear(int year) => year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

    public static int DaysInMonth(int year, int month) => month switch
    {
        2 => IsLeapYear(year) ? 29 : 28,
        4 or 6 or 9 or 11 => 30,
        _ => 31,
    };

    public static Date FromNumber(int number)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(number);
        int year = 1;
        foreach (var (years, days) in new[] { (400, 146_097), (100, 36_524), (4, 1_461), (1, 365) })
        {
            // The last day of a leap period would begin a period too many.
            int periods = years is 100 or 1 ? Math.Min(number / days, 3) : number / days;
            year += periods * years;
            number -= periods * days;
        }

        int month = 1;
        while (number >= DaysInMonth(year, month))
        {
            number -= DaysInMonth(year, month);
            month++;
        }

        return new Date(year, month, number + 1);
    }

    public static Date EasterSunday(int year)
    {
        int a = year % 19, b = year / 100, c = year % 100;
        int d = b / 4, e = b % 4, g = ((8 * b) + 13) / 25;
        int h = ((19 * a) + b - d - g + 15) % 30;
        int i = c / 4, k = c % 4;
        int l = (32 + (2 * e) + (2 * i) - h - k) % 7;
        int m = (a + (11 * h) + (19 * l)) / 433;
        int month = (h + l - (7 * m) + 90) / 25;
        return new Date(year, month, (h + l - (7 * m) + (33 * month) + 19) % 32);
    }

    public static bool TryParse(string text, out Date date)
    {
        date = default;
        var parts = text.Split('-');
        if (parts.Length != 3 || parts[0].Length != 4 || parts[1].Length != 2 || parts[2].Length != 2)
        {
            return false;
        }

        if (!int.TryParse(parts[0], out int year) || !int.TryParse(parts[1], out int month) || !int.TryParse(parts[2], out int day))
        {
            return false;
        }

        try
        {
            date = new Date(year, month, day);
            return true;
        }
        catch (ArgumentException)
        {
            return false;
        }
    }

    public Date AddDays(int days) => FromNumber(Number + days);

    /// <summary>The same day of a later month, or its last one where it is shorter.</summary>
    public Date AddMonths(int months)
    {
        int total = (Year * 12) + Month - 1 + months;
        int year = total / 12, month = (total % 12) + 1;
        return new Date(year, month, Math.Min(Day, DaysInMonth(year, month)));
    }

    public int CompareTo(Date other) => (Year, Month, Day).CompareTo((other.Year, other.Month, other.Day));

    public override string ToString() => $"{Year:0000}-{Month:00}-{Day:00}";
}
