namespace Computing;

/// <summary>Systems of linear equations.</summary>
public static class Linear
{
    /// <summary>Gauss with pivots; the matrix is taken apart. Null if it is singular.</summary>
    public static double[]? Solve(double[,] matrix, double[] right)
    {
        int size = right.Length;
        for (int column = 0; column < size; column++)
        {
            int pivot = column;
            for (int row = column + 1; row < size; row++)
            {
                if (Math.Abs(matrix[row, column]) > Math.Abs(matrix[pivot, column]))
                {
                    pivot = row;
                }
            }

            if (Math.Abs(matrix[pivot, column]) < 1e-12)
            {
                return null;
            }

            Swap(matrix, right, pivot, column);
            for (int row = column + 1; row < size; row++)
            {
                double factor = matrix[row, column] / matrix[column, column];
                for (int k = column; k < size; k++)
                {
                    matrix[row, k] -= factor * matrix[column, k];
                }

                right[row] -= factor * right[column];
            }
        }

        return Back(matrix, right);
    }

    private static double[] Back(double[,] matrix, double[] right)
    {
        var solution = new double[right.Length];
        for (int row = right.Length - 1; row >= 0; row--)
        {
            double sum = right[row];
            for (int k = row + 1; k < right.Length; k++)
            {
                sum -= matrix[row, k] * solution[k];
            }

            solution[row] = sum / matrix[row, row];
        }

        return solution;
    }

    private static void Swap(double[,] matrix, double[] right, int a, int b)
    {
        if (a == b)
        {
            return;
        }

        for (int k = 0; k < right.Length; k++)
        {
            (matrix[a, k], matrix[b, k]) = (matrix[b, k], matrix[a, k]);
        }

        (right[a], right[b]) = (right[b], right[a]);
    }
}
