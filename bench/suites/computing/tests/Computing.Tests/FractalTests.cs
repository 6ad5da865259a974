namespace Computing.Tests;

public class FractalTests
{
    [Theory]
    [InlineData(0, 0, 100)]
    [InlineData(-1, 0, 100)]
    [InlineData(2, 2, 1)]
    [InlineData(1, 0, 3)]
    public void Points(double real, double imaginary, int expected) => Assert.Equal(expected, Fractal.Iterations(real, imaginary, 100));

    [Fact]
    public void The_area_is_about_one_and_a_half()
    {
        const int size = 800;
        double area = 9.0 * Fractal.Inside(size, 300) / (size * size);
        Assert.InRange(area, 1.50, 1.54);
    }
}
