namespace Computing;

/// <summary>The Mandelbrot set, by iteration.</summary>
public static class Fractal
{
    /// <summary>How often z = z * z + c can be taken until |z| is larger than 2; at most `limit`.</summary>
    public static int Iterations(double real, double imaginary, int limit)
    {
        double x = 0, y = 0;
        for (int i = 0; i < limit; i++)
        {
            double xx = x * x, yy = y * y;
            if (xx + yy > 4)
            {
                return i;
            }

            y = (2 * x * y) + imaginary;
            x = xx - yy + real;
        }

        return limit;
    }

    public static int Inside(int size, int limit)
    {
        int count = 0;
        for (int row = 0; row < size; row++)
        {
            for (int column = 0; column < size; column++)
            {
                count += Iterations((3.0 * column / size) - 2.25, (3.0 * row / size) - 1.5, limit) == limit ? 1 : 0;
            }
        }

        return count;
    }
}
