namespace Toolbox.Numerics;

/// <summary>Mean, variance and extremes of a stream of numbers, after Welford.</summary>
public struct RunningStatistics
{
    private double _mean;
    private double _squares;

    public int Count { get; private set; }

    public double Minimum { get; private set; }

    public double Maximum { get; private set; }

    public readonly double Mean => Count > 0 ? _mean : double.NaN;

    public readonly double Variance => Count > 1 ? _squares / (Count - 1) : double.NaN;

    public readonly double Deviation => Math.Sqrt(Variance);

    public void Add(double value)
    {
        Minimum = Count == 0 || value < Minimum ? value : Minimum;
        Maximum = Count == 0 || value > Maximum ? value : Maximum;
        Count++;
        double before = value - _mean;
        _mean += before / Count;
        _squares += before * (value - _mean);
    }
}

public static class Statistics
{
    public static RunningStatistics Summarise(this IEnumerable<double> values)
    {
        var statistics = default(RunningStatistics);
        foreach (double value in values)
        {
            statistics.Add(value);
        }

        return statistics;
    }

    public static double Median(this IEnumerable<double> values) => Quantile(values, 0.5);

    /// <summary>Linear between the two nearest values.</summary>
    public static double Quantile(this IEnumerable<double> values, double fraction)
    {
        if (fraction is < 0 or > 1)
        {
            throw new ArgumentOutOfRangeException(nameof(fraction));
        }

        var sorted = values.Order().ToArray();
        if (sorted.Length == 0)
        {
            throw new InvalidOperationException("no values");
        }

        double position = fraction * (sorted.Length - 1);
        int below = (int)position;
        double rest = position - below;
        return rest == 0 ? sorted[below] : sorted[below] + (rest * (sorted[below + 1] - sorted[below]));
    }

    public static IEnumerable<double> MovingAverage(this IEnumerable<double> values, int window)
    {
        var recent = new Queue<double>(window);
        double sum = 0;
        foreach (double value in values)
        {
            recent.Enqueue(value);
            sum += value;
            if (recent.Count > window)
            {
                sum -= recent.Dequeue();
            }

            if (recent.Count == window)
            {
                yield return sum / window;
            }
        }
    }

    public static (double Slope, double Intercept, double R2) LinearFit(IReadOnlyList<(double X, double Y)> points)
    {
        double meanX = points.Average(p => p.X), meanY = points.Average(p => p.Y);
        double xy = 0, xx = 0, yy = 0;
        foreach (var (x, y) in points)
        {
            xy += (x - meanX) * (y - meanY);
            xx += (x - meanX) * (x - meanX);
            yy += (y - meanY) * (y - meanY);
        }

        if (xx == 0)
        {
            throw new ArgumentException("all points have the same x", nameof(points));
        }

        double slope = xy / xx;
        return (slope, meanY - (slope * meanX), yy == 0 ? 1 : xy * xy / (xx * yy));
    }

    public static int[] Histogram(this IEnumerable<double> values, double from, double to, int bins)
    {
        var counts = new int[bins];
        foreach (double value in values)
        {
            if (value < from || value > to)
            {
                continue;
            }

            int bin = (int)((value - from) / (to - from) * bins);
            counts[Math.Min(bin, bins - 1)]++;
        }

        return counts;
    }
}
