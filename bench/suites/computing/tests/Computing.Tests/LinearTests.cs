namespace Computing.Tests;

public class LinearTests
{
    [Theory]
    [InlineData(2)]
    [InlineData(50)]
    [InlineData(200)]
    [InlineData(400)]
    public void A_solution_solves(int size)
    {
        var random = new Random(size);
        var matrix = new double[size, size];
        var expected = new double[size];
        var right = new double[size];
        for (int row = 0; row < size; row++)
        {
            expected[row] = random.Next(-9, 10);
            for (int column = 0; column < size; column++)
            {
                matrix[row, column] = random.NextDouble() + (row == column ? size : 0);
            }
        }

        for (int row = 0; row < size; row++)
        {
            for (int column = 0; column < size; column++)
            {
                right[row] += matrix[row, column] * expected[column];
            }
        }

        var solution = Linear.Solve(matrix, right);
        Assert.NotNull(solution);
        for (int row = 0; row < size; row++)
        {
            Assert.Equal(expected[row], solution[row], 6);
        }
    }

    [Fact]
    public void A_singular_system_has_none() => Assert.Null(Linear.Solve(new double[,] { { 1, 2 }, { 2, 4 } }, [1, 2]));
}
