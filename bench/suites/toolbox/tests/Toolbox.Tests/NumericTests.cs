using Toolbox.Numerics;

namespace Toolbox.Tests;

public class NumericTests
{
    [Theory]
    [InlineData("1/2", "1/3", "5/6", "1/6", "1/6", "3/2")]
    [InlineData("2/4", "-1/2", "0", "1", "-1/4", "-1")]
    [InlineData("0.25", "3", "13/4", "-11/4", "3/4", "1/12")]
    [InlineData("-7/3", "7/3", "0", "-14/3", "-49/9", "-1")]
    public void Calculates_with_fractions(string a, string b, string sum, string difference, string product, string quotient)
    {
        Rational x = Rational.Parse(a), y = Rational.Parse(b);
        Assert.Equal([sum, difference, product, quotient], new[] { x + y, x - y, x * y, x / y }.Select(r => r.ToString()));
    }

    [Fact]
    public void Fractions_compare_and_have_powers()
    {
        Assert.True(Rational.Parse("1/3") < Rational.Parse("0.34"));
        Assert.True(Rational.Parse("1/3") > Rational.Zero);
        Assert.True(new Rational(2, -4) == new Rational(-1, 2));
        Assert.True(Rational.One != 2);
        Assert.Equal("8/27", new Rational(2, 3).Power(3).ToString());
        Assert.Equal("27/8", new Rational(2, 3).Power(-3).ToString());
        Assert.Equal(0.75, (double)new Rational(3, 4));
        Assert.Throws<DivideByZeroException>(() => Rational.One / Rational.Zero);
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 100, MemberType = typeof(Seeds))]
    public void Fractions_obey_the_laws(int seed)
    {
        var chance = new Chance(seed);
        Rational Any() => new(chance.Between(-50, 50), chance.Between(1, 50));
        for (int i = 0; i < 20; i++)
        {
            var (a, b, c) = (Any(), Any(), Any());
            Assert.Equal((a + b) * c, (a * c) + (b * c));
            Assert.Equal(a + b, b + a);
            Assert.Equal(a - b, -(b - a));
            Assert.Equal(a.CompareTo(b), -b.CompareTo(a));
            Assert.Equal(a, Rational.Parse(a.ToString()));
        }
    }

    [Fact]
    public void Matrices_have_sums_products_and_determinants()
    {
        var a = new Matrix(new double[,] { { 1, 2 }, { 3, 4 } });
        var b = new Matrix(new double[,] { { 0, 1 }, { 1, 0 } });
        Assert.Equal("[1 3; 4 4]", (a + b).ToString());
        Assert.Equal("[2 1; 4 3]", (a * b).ToString());
        Assert.Equal("[1 3; 2 4]", a.Transpose().ToString());
        Assert.Equal(-2, a.Determinant(), 12);
        Assert.Equal(0, new Matrix(new double[,] { { 1, 2 }, { 2, 4 } }).Determinant());
        Assert.Throws<ArgumentException>(() => a * Matrix.Identity(3));
        Assert.Throws<ArgumentException>(() => a + Matrix.Identity(3));
        Assert.Throws<InvalidOperationException>(() => new Matrix(new double[2, 3]).Determinant());
        Assert.Throws<InvalidOperationException>(() => new Matrix(new double[2, 2]).Inverse());
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 100, MemberType = typeof(Seeds))]
    public void A_matrix_times_its_inverse_is_one(int seed)
    {
        var chance = new Chance(seed);
        int size = chance.Between(1, 8);
        var matrix = Matrix.Make(size, size, (r, c) => chance.Real(-1, 1) + (r == c ? size : 0));
        Assert.True((matrix * matrix.Inverse()).IsNear(Matrix.Identity(size)));
        Assert.Equal(1, matrix.Determinant() * matrix.Inverse().Determinant(), 6);
        var right = Enumerable.Range(0, size).Select(_ => chance.Real(-5, 5)).ToArray();
        var solution = matrix.Solve(right);
        Assert.True((matrix * Matrix.Make(size, 1, (r, _) => solution[r])).IsNear(Matrix.Make(size, 1, (r, _) => right[r])));
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 100, MemberType = typeof(Seeds))]
    public void Streamed_statistics_are_those_of_the_whole(int seed)
    {
        var chance = new Chance(seed);
        var values = Enumerable.Range(0, 200).Select(_ => chance.Real(-100, 100)).ToArray();
        var statistics = values.Summarise();
        double mean = values.Average();
        Assert.Equal(mean, statistics.Mean, 9);
        Assert.Equal(values.Sum(v => (v - mean) * (v - mean)) / 199, statistics.Variance, 6);
        Assert.Equal((values.Min(), values.Max()), (statistics.Minimum, statistics.Maximum));
        Assert.Equal(200, values.Histogram(-100, 100, 7).Sum());
        Assert.Equal(values.Order().Skip(99).Take(2).Average(), values.Median(), 9);
        Assert.Equal(values.Take(10).Average(), values.MovingAverage(10).First(), 9);
    }

    [Fact]
    public void Fits_lines()
    {
        var (slope, intercept, r2) = Statistics.LinearFit([(1, 3), (2, 5), (3, 7)]);
        Assert.Equal((2, 1, 1), (slope, intercept, r2));
        Assert.Throws<ArgumentException>(() => Statistics.LinearFit([(1, 1), (1, 2)]));
        Assert.Throws<InvalidOperationException>(() => Array.Empty<double>().Median());
        Assert.True(double.IsNaN(default(RunningStatistics).Mean));
    }

    [Theory]
    [InlineData("x^2 - 1", "-1 0 1")]
    [InlineData("2x^3 + x", "0 1 0 2")]
    [InlineData("-x + 0.5", "0.5 -1")]
    [InlineData("0", "0 0")]
    [InlineData("7", "7 0 0")]
    public void Prints_polynomials(string expected, string coefficients)
    {
        Assert.Equal(expected, new Polynomial([.. coefficients.Split(' ').Select(double.Parse)]).ToString());
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 100, MemberType = typeof(Seeds))]
    public void Polynomials_obey_the_laws(int seed)
    {
        var chance = new Chance(seed);
        Polynomial Any() => new([.. Enumerable.Range(0, chance.Between(1, 5)).Select(_ => (double)chance.Between(-5, 5))]);
        var (p, q) = (Any(), Any());
        double x = chance.Between(-4, 4);
        Assert.Equal(p.Evaluate(x) * q.Evaluate(x), (p * q).Evaluate(x));
        Assert.Equal(p.Evaluate(x) + q.Evaluate(x), (p + q).Evaluate(x));
        Assert.Equal(p, p + q - q);
        Assert.Equal((p * q).Derivative(), (p.Derivative() * q) + (p * q.Derivative()));
    }

    [Fact]
    public void Finds_roots()
    {
        Assert.Equal(Math.Sqrt(2), new Polynomial(-2, 0, 1).FindRoot(1)!.Value, 9);
        Assert.Null(new Polynomial(1, 0, 1).FindRoot(0));
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 120, MemberType = typeof(Seeds))]
    public void Factors_are_prime_and_multiply_up(int seed)
    {
        long number = new Chance(seed).Between(2, 1_000_000);
        var factors = Primes.Factors(number).ToList();
        Assert.Equal(number, factors.Aggregate(1L, (a, b) => a * b));
        Assert.All(factors, f => Assert.True(Primes.IsPrime(f)));
        Assert.Equal(1, Primes.Collatz(number).Last());
    }

    [Fact]
    public void The_sieve_finds_what_division_finds()
    {
        var primes = Primes.UpTo(5000);
        Assert.Equal(669, primes.Count);
        Assert.Equal(primes, Enumerable.Range(0, 5001).Where(n => Primes.IsPrime(n)));
    }
}
