using System.Globalization;
using System.Numerics;

namespace Toolbox.Numerics;

/// <summary>An exact fraction, always in lowest terms with a positive denominator.</summary>
public readonly struct Rational : IEquatable<Rational>, IComparable<Rational>
{
    private readonly BigInteger _denominatorLessOne;

    public Rational(BigInteger numerator, BigInteger denominator)
    {
        if (denominator.IsZero)
        {
            throw new DivideByZeroException("a fraction with denominator 0");
        }

        if (denominator.Sign < 0)
        {
            numerator = -numerator;
            denominator = -denominator;
        }

        var divisor = BigInteger.GreatestCommonDivisor(numerator, denominator);
        Numerator = numerator / divisor;
        _denominatorLessOne = (denominator / divisor) - 1;
    }

    public static Rational Zero => default;

    public static Rational One => new(1, 1);

    public BigInteger Numerator { get; }

    public BigInteger Denominator => _denominatorLessOne + 1;

    public bool IsWhole => _denominatorLessOne.IsZero;

    public static implicit operator Rational(int value) => new(value, 1);

    public static explicit operator double(Rational value) => (double)value.Numerator / (double)value.Denominator;

    public static Rational operator +(Rational a, Rational b)
    {
        return new((a.Numerator * b.Denominator) + (b.Numerator * a.Denominator), a.Denominator * b.Denominator);
    }

    public static Rational operator -(Rational a) => new(-a.Numerator, a.Denominator);

    public static Rational operator -(Rational a, Rational b) => a + -b;

    public static Rational operator *(Rational a, Rational b) => new(a.Numerator * b.Numerator, a.Denominator * b.Denominator);

    public static Rational operator /(Rational a, Rational b) => new(a.Numerator * b.Denominator, a.Denominator * b.Numerator);

    public static bool operator ==(Rational a, Rational b) => a.Equals(b);

    public static bool operator !=(Rational a, Rational b) => !a.Equals(b);

    public static bool operator <(Rational a, Rational b) => a.CompareTo(b) < 0;

    public static bool operator >(Rational a, Rational b) => a.CompareTo(b) > 0;

    public static Rational Parse(string text)
    {
        int slash = text.IndexOf('/');
        if (slash >= 0)
        {
            return new(BigInteger.Parse(text[..slash]), BigInteger.Parse(text[(slash + 1)..]));
        }

        int point = text.IndexOf('.');
        if (point < 0)
        {
            return new(BigInteger.Parse(text), 1);
        }

        var digits = BigInteger.Parse(text.Remove(point, 1), NumberStyles.AllowLeadingSign);
        return new(digits, BigInteger.Pow(10, text.Length - point - 1));
    }

    public Rational Power(int exponent)
    {
        if (exponent < 0)
        {
            return One / Power(-exponent);
        }

        var result = One;
        var factor = this;
        for (; exponent > 0; exponent >>= 1)
        {
            if ((exponent & 1) != 0)
            {
                result *= factor;
            }

            factor *= factor;
        }

        return result;
    }

    public int CompareTo(Rational other) => (Numerator * other.Denominator).CompareTo(other.Numerator * Denominator);

    public bool Equals(Rational other) => Numerator == other.Numerator && Denominator == other.Denominator;

    public override bool Equals(object? obj) => obj is Rational other && Equals(other);

    public override int GetHashCode() => HashCode.Combine(Numerator, Denominator);

    public override string ToString() => IsWhole ? $"{Numerator}" : $"{Numerator}/{Denominator}";
}
