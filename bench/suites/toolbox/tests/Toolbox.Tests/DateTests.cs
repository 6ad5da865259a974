using Toolbox.Time;

namespace Toolbox.Tests;

public class DateTests
{
    public static TheoryData<int> DayNumbers => new(Enumerable.Range(0, 300).Select(i => i * 12_127 % 3_652_059));

    public static TheoryData<int> Years => new(Enumerable.Range(1, 150).Select(i => 1900 + i));

    [Theory]
    [MemberData(nameof(DayNumbers))]
    public void Agrees_with_dotnet_about_days(int number)
    {
        var theirs = new DateTime(1, 1, 1).AddDays(number);
        var date = Date.FromNumber(number);
        Assert.Equal((theirs.Year, theirs.Month, theirs.Day), (date.Year, date.Month, date.Day));
        Assert.Equal((number, theirs.DayOfWeek, theirs.DayOfYear), (date.Number, date.DayOfWeek, date.DayOfYear));
        Assert.Equal(theirs.ToString("yyyy-MM-dd"), date.ToString());
    }

    [Theory]
    [MemberData(nameof(Years))]
    public void Agrees_with_dotnet_about_years(int year)
    {
        Assert.Equal(DateTime.IsLeapYear(year), Date.IsLeapYear(year));
        for (int month = 1; month <= 12; month++)
        {
            Assert.Equal(DateTime.DaysInMonth(year, month), Date.DaysInMonth(year, month));
            var date = new Date(year, month, 28);
            Assert.Equal(System.Globalization.ISOWeek.GetWeekOfYear(new DateTime(year, month, 28)), date.IsoWeek.Week);
        }
    }

    [Theory]
    [InlineData(1961, "1961-04-02")]
    [InlineData(2000, "2000-04-23")]
    [InlineData(2024, "2024-03-31")]
    [InlineData(2025, "2025-04-20")]
    [InlineData(2038, "2038-04-25")]
    public void Knows_easter(int year, string expected)
    {
        Assert.Equal(expected, Date.EasterSunday(year).ToString());
    }

    [Theory]
    [MemberData(nameof(Years))]
    public void Easter_is_a_sunday_in_spring(int year)
    {
        var easter = Date.EasterSunday(year);
        Assert.Equal(DayOfWeek.Sunday, easter.DayOfWeek);
        Assert.InRange(easter - new Date(year, 3, 22), 0, 34);
    }

    [Theory]
    [InlineData("2024-02-29", true)]
    [InlineData("2023-02-29", false)]
    [InlineData("2023-13-01", false)]
    [InlineData("2023-1-01", false)]
    [InlineData("2023-ab-01", false)]
    [InlineData("0000-01-01", false)]
    [InlineData("2023-04-31", false)]
    public void Parses_days_that_exist(string text, bool expected)
    {
        Assert.Equal(expected, Date.TryParse(text, out var date));
        Assert.Equal(expected, date.Year == 2024);
    }

    [Theory]
    [InlineData("2024-01-31", 1, "2024-02-29")]
    [InlineData("2024-01-31", 13, "2025-02-28")]
    [InlineData("2024-03-31", -1, "2024-02-29")]
    [InlineData("2024-12-15", 1, "2025-01-15")]
    public void Adds_months(string from, int months, string expected)
    {
        Assert.True(Date.TryParse(from, out var date));
        Assert.Equal(expected, date.AddMonths(months).ToString());
    }

    [Theory]
    [InlineData("2024-03-28", 1, "2024-04-02")]
    [InlineData("2024-12-24", 1, "2024-12-27")]
    [InlineData("2024-05-03", -1, "2024-05-02")]
    [InlineData("2024-01-05", 5, "2024-01-12")]
    public void Adds_business_days(string from, int days, string expected)
    {
        Assert.True(Date.TryParse(from, out var date));
        Assert.Equal(expected, BusinessCalendar.Western().AddBusinessDays(date, days).ToString());
    }

    [Theory]
    [MemberData(nameof(Years))]
    public void A_year_has_some_250_business_days(int year)
    {
        var calendar = BusinessCalendar.Western();
        int days = calendar.BusinessDaysBetween(new Date(year, 1, 1), new Date(year + 1, 1, 1));
        Assert.InRange(days, 253, 259);
        var last = calendar.AddBusinessDays(new Date(year, 1, 1), days);
        Assert.Equal(year, last.Year);
    }

    [Theory]
    [InlineData("every day 3 times", "2024-01-31 2024-02-01 2024-02-02")]
    [InlineData("every 2 weeks 2 times", "2024-01-31 2024-02-14")]
    [InlineData("every week on Mon, Thu 3 times", "2024-02-01 2024-02-05 2024-02-08")]
    [InlineData("every month until 2024-04-30", "2024-01-31 2024-02-29 2024-03-31 2024-04-30")]
    [InlineData("every 2 years 2 times", "2024-01-31 2026-01-31")]
    public void Repeats(string text, string expected)
    {
        var recurrence = Recurrence.Parse(text, new Date(2024, 1, 31));
        Assert.Equal(expected, string.Join(' ', recurrence.Dates()));
    }

    [Theory]
    [InlineData("")]
    [InlineData("each day")]
    [InlineData("every fortnight")]
    [InlineData("every day until tomorrow")]
    [InlineData("every day 3 apples")]
    public void Refuses_what_it_does_not_understand(string text)
    {
        Assert.Throws<FormatException>(() => Recurrence.Parse(text, new Date(2024, 1, 1)));
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 100, MemberType = typeof(Seeds))]
    public void Durations_read_back(int seed)
    {
        var duration = TimeSpan.FromSeconds(new Chance(seed).Between(1, 3_000_000));
        Assert.Equal(duration, Duration.Parse(Duration.Format(duration)));
    }

    [Theory]
    [InlineData("")]
    [InlineData("5")]
    [InlineData("h")]
    [InlineData("5x")]
    [InlineData("5m 2h")]
    public void Refuses_malformed_durations(string text)
    {
        Assert.Throws<FormatException>(() => Duration.Parse(text));
    }

    [Theory]
    [InlineData(5, "a moment")]
    [InlineData(60, "a minute")]
    [InlineData(600, "10 minutes")]
    [InlineData(4000, "an hour")]
    [InlineData(20_000, "6 hours")]
    [InlineData(90_000, "a day")]
    [InlineData(864_000, "10 days")]
    [InlineData(8_640_000, "3 months")]
    [InlineData(86_400_000, "3 years")]
    public void Tells_durations_roughly(int seconds, string expected)
    {
        Assert.Equal(expected, Duration.Roughly(TimeSpan.FromSeconds(seconds)));
    }
}
