using System.Collections;

namespace Toolbox.Collections;

public readonly record struct Interval(int Start, int End)
{
    public int Length => End - Start;

    public bool Contains(int point) => point >= Start && point < End;

    public override string ToString() => $"[{Start}, {End})";
}

/// <summary>A set of whole numbers as sorted half-open intervals that neither overlap nor touch.</summary>
public sealed class IntervalSet : IEnumerable<Interval>
{
    private readonly List<Interval> _intervals = [];

    public int IntervalCount => _intervals.Count;

    public long Total => _intervals.Sum(i => (long)i.Length);

    public static IntervalSet operator |(IntervalSet a, IntervalSet b)
    {
        var result = new IntervalSet();
        foreach (var interval in a.Concat(b))
        {
            result.Add(interval.Start, interval.End);
        }

        return result;
    }

    public static IntervalSet operator &(IntervalSet a, IntervalSet b)
    {
        var result = new IntervalSet();
        for (int i = 0, j = 0; i < a._intervals.Count && j < b._intervals.Count;)
        {
            var (x, y) = (a._intervals[i], b._intervals[j]);
            int start = Math.Max(x.Start, y.Start), end = Math.Min(x.End, y.End);
            if (start < end)
            {
                result._intervals.Add(new Interval(start, end));
            }

            if (x.End < y.End)
            {
                i++;
            }
            else
            {
                j++;
            }
        }

        return result;
    }

    public bool Contains(int point)
    {
        int index = FirstEndingAfter(point);
        return index < _intervals.Count && _intervals[index].Contains(point);
    }

    public void Add(int start, int end)
    {
        if (start >= end)
        {
            return;
        }

        int first = FirstEndingAfter(start - 1);
        int last = first;
        while (last < _intervals.Count && _intervals[last].Start <= end)
        {
            start = Math.Min(start, _intervals[last].Start);
            end = Math.Max(end, _intervals[last].End);
            last++;
        }

        _intervals.RemoveRange(first, last - first);
        _intervals.Insert(first, new Interval(start, end));
    }

    public void Remove(int start, int end)
    {
        for (int i = FirstEndingAfter(start); i < _intervals.Count && _intervals[i].Start < end;)
        {
            var interval = _intervals[i];
            _intervals.RemoveAt(i);
            if (interval.Start < start)
            {
                _intervals.Insert(i++, interval with { End = start });
            }

            if (interval.End > end)
            {
                _intervals.Insert(i++, interval with { Start = end });
            }
        }
    }

    public IEnumerator<Interval> GetEnumerator() => _intervals.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    public override string ToString() => string.Join(" ", _intervals);

    private int FirstEndingAfter(int point)
    {
        int low = 0, high = _intervals.Count;
        while (low < high)
        {
            int middle = (low + high) / 2;
            if (_intervals[middle].End > point)
            {
                high = middle;
            }
            else
            {
                low = middle + 1;
            }
        }

        return low;
    }
}
