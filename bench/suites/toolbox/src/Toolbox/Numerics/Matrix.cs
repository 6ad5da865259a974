using System.Globalization;
using System.Text;

namespace Toolbox.Numerics;

/// <summary>A matrix of numbers; never changed once made.</summary>
public sealed class Matrix
{
    private const double Tiny = 1e-12;

    private readonly double[,] _cells;

    public Matrix(double[,] cells)
    {
        _cells = (double[,])cells.Clone();
    }

    public int Rows => _cells.GetLength(0);

    public int Columns => _cells.GetLength(1);

    public double this[int row, int column] => _cells[row, column];

    public static Matrix Identity(int size) => Make(size, size, (r, c) => r == c ? 1 : 0);

    public static Matrix Make(int rows, int columns, Func<int, int, double> cell)
    {
        var cells = new double[rows, columns];
        for (int r = 0; r < rows; r++)
        {
            for (int c = 0; c < columns; c++)
            {
                cells[r, c] = cell(r, c);
            }
        }

        return new Matrix(cells);
    }

    public static Matrix operator +(Matrix a, Matrix b)
    {
        if (a.Rows != b.Rows || a.Columns != b.Columns)
        {
            throw new ArgumentException($"a matrix of {a.Rows}x{a.Columns} and one of {b.Rows}x{b.Columns} have no sum");
        }

        return Make(a.Rows, a.Columns, (r, c) => a[r, c] + b[r, c]);
    }

    public static Matrix operator *(double factor, Matrix a) => Make(a.Rows, a.Columns, (r, c) => factor * a[r, c]);

    public static Matrix operator *(Matrix a, Matrix b)
    {
        if (a.Columns != b.Rows)
        {
            throw new ArgumentException($"a matrix of {a.Rows}x{a.Columns} and one of {b.Rows}x{b.Columns} have no product");
        }

        var cells = new double[a.Rows, b.Columns];
        for (int r = 0; r < a.Rows; r++)
        {
            for (int c = 0; c < b.Columns; c++)
            {
                double sum = 0;
                for (int k = 0; k < a.Columns; k++)
                {
                    sum += a._cells[r, k] * b._cells[k, c];
                }

                cells[r, c] = sum;
            }
        }

        return new Matrix(cells);
    }

    public Matrix Transpose() => Make(Columns, Rows, (r, c) => this[c, r]);

    public double Determinant()
    {
        var cells = SquareCopy();
        double determinant = 1;
        for (int column = 0; column < Rows; column++)
        {
            int pivot = PivotRow(cells, column);
            if (Math.Abs(cells[pivot, column]) < Tiny)
            {
                return 0;
            }

            if (pivot != column)
            {
                SwapRows(cells, pivot, column);
                determinant = -determinant;
            }

            determinant *= cells[column, column];
            for (int row = column + 1; row < Rows; row++)
            {
                AddRow(cells, row, column, -cells[row, column] / cells[column, column]);
            }
        }

        return determinant;
    }

    public Matrix Inverse()
    {
        var cells = SquareCopy();
        var inverse = (double[,])Identity(Rows)._cells.Clone();
        for (int column = 0; column < Rows; column++)
        {
            int pivot = PivotRow(cells, column);
            if (Math.Abs(cells[pivot, column]) < Tiny)
            {
                throw new InvalidOperationException("the matrix has no inverse");
            }

            SwapRows(cells, pivot, column);
            SwapRows(inverse, pivot, column);
            double factor = 1 / cells[column, column];
            AddRow(cells, column, column, factor - 1);
            AddRow(inverse, column, column, factor - 1);
            for (int row = 0; row < Rows; row++)
            {
                if (row != column)
                {
                    double multiple = -cells[row, column];
                    AddRow(cells, row, column, multiple);
                    AddRow(inverse, row, column, multiple);
                }
            }
        }

        return new Matrix(inverse);
    }

    public double[] Solve(params double[] right)
    {
        var column = Make(right.Length, 1, (r, _) => right[r]);
        var solution = Inverse() * column;
        return Enumerable.Range(0, Rows).Select(r => solution[r, 0]).ToArray();
    }

    public bool IsNear(Matrix other, double tolerance = 1e-9)
    {
        if (other.Rows != Rows || other.Columns != Columns)
        {
            return false;
        }

        for (int r = 0; r < Rows; r++)
        {
            for (int c = 0; c < Columns; c++)
            {
                if (Math.Abs(this[r, c] - other[r, c]) > tolerance)
                {
                    return false;
                }
            }
        }

        return true;
    }

    public override string ToString()
    {
        var text = new StringBuilder();
        for (int r = 0; r < Rows; r++)
        {
            text.Append(r == 0 ? "[" : "; ");
            for (int c = 0; c < Columns; c++)
            {
                text.Append(c == 0 ? "" : " ").Append(this[r, c].ToString("0.###", CultureInfo.InvariantCulture));
            }
        }

        return text.Append(']').ToString();
    }

    private static int PivotRow(double[,] cells, int column)
    {
        int best = column;
        for (int row = column + 1; row < cells.GetLength(0); row++)
        {
            if (Math.Abs(cells[row, column]) > Math.Abs(cells[best, column]))
            {
                best = row;
            }
        }

        return best;
    }

    private static void SwapRows(double[,] cells, int a, int b)
    {
        for (int c = 0; a != b && c < cells.GetLength(1); c++)
        {
            (cells[a, c], cells[b, c]) = (cells[b, c], cells[a, c]);
        }
    }

    private static void AddRow(double[,] cells, int to, int from, double factor)
    {
        for (int c = 0; c < cells.GetLength(1); c++)
        {
            cells[to, c] += factor * cells[from, c];
        }
    }

    private double[,] SquareCopy()
    {
        return Rows == Columns ? (double[,])_cells.Clone() : throw new InvalidOperationException("the matrix is not square");
    }
}
