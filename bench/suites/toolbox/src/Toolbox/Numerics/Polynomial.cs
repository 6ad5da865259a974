using System.Globalization;
using System.Text;

namespace Toolbox.Numerics;

/// <summary>A polynomial by its coefficients, the constant one first.</summary>
public sealed class Polynomial : IEquatable<Polynomial>
{
    private readonly double[] _coefficients;

    public Polynomial(params double[] coefficients)
    {
        int count = coefficients.Length;
        while (count > 0 && coefficients[count - 1] == 0)
        {
            count--;
        }

        _coefficients = coefficients[..count];
    }

    public int Degree => Math.Max(_coefficients.Length - 1, 0);

    public double this[int power] => power < _coefficients.Length ? _coefficients[power] : 0;

    public static Polynomial operator +(Polynomial a, Polynomial b) => Combine(a, b, (x, y) => x + y);

    public static Polynomial operator -(Polynomial a, Polynomial b) => Combine(a, b, (x, y) => x - y);

    public static Polynomial operator *(Polynomial a, Polynomial b)
    {
        var product = new double[a.Degree + b.Degree + 1];
        for (int i = 0; i <= a.Degree; i++)
        {
            for (int j = 0; j <= b.Degree; j++)
            {
                product[i + j] += a[i] * b[j];
            }
        }

        return new Polynomial(product);
    }

    public double Evaluate(double x)
    {
        double value = 0;
        for (int i = Degree; i >= 0; i--)
        {
            value = (value * x) + this[i];
        }

        return value;
    }

    public Polynomial Derivative() => new(Enumerable.Range(1, Degree).Select(i => i * this[i]).ToArray());

    /// <summary>A root near a guess, after Newton; null when none was found.</summary>
    public double? FindRoot(double guess, int rounds = 100)
    {
        var slope = Derivative();
        for (int i = 0; i < rounds; i++)
        {
            double value = Evaluate(guess);
            if (Math.Abs(value) < 1e-12)
            {
                return guess;
            }

            double steepness = slope.Evaluate(guess);
            if (steepness == 0)
            {
                return null;
            }

            guess -= value / steepness;
        }

        return null;
    }

    public bool Equals(Polynomial? other) => other is not null && _coefficients.AsSpan().SequenceEqual(other._coefficients);

    public override bool Equals(object? obj) => Equals(obj as Polynomial);

    public override int GetHashCode() => _coefficients.Aggregate(Degree, HashCode.Combine);

    public override string ToString()
    {
        var text = new StringBuilder();
        for (int power = Degree; power >= 0; power--)
        {
            double factor = this[power];
            if (factor == 0 && Degree > 0)
            {
                continue;
            }

            string sign = factor < 0 ? "-" : "+";
            text.Append(text.Length > 0 ? $" {sign} " : factor < 0 ? "-" : "");
            string number = Math.Abs(factor).ToString("0.###", CultureInfo.InvariantCulture);
            text.Append(power switch
            {
                0 => number,
                _ when number == "1" => "",
                _ => number,
            });
            text.Append(power switch
            {
                0 => "",
                1 => "x",
                _ => $"x^{power}",
            });
        }

        return text.ToString();
    }

    private static Polynomial Combine(Polynomial a, Polynomial b, Func<double, double, double> combine)
    {
        int count = Math.Max(a._coefficients.Length, b._coefficients.Length);
        return new(Enumerable.Range(0, count).Select(i => combine(a[i], b[i])).ToArray());
    }
}
