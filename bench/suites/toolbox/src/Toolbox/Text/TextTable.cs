using System.Text;

namespace Toolbox.Text;

/// <summary>A table for the terminal: columns as wide as their widest cell, numbers to the right.</summary>
public sealed class TextTable
{
    private readonly List<string[]> _rows = [];
    private readonly string[] _headings;

    public TextTable(params string[] headings)
    {
        _headings = headings;
    }

    public int RowCount => _rows.Count;

    public TextTable Add(params object?[] cells)
    {
        if (cells.Length != _headings.Length)
        {
            throw new ArgumentException($"{cells.Length} cells for {_headings.Length} columns", nameof(cells));
        }

        _rows.Add([.. cells.Select(CellText)]);
        return this;
    }

    public TextTable SortBy(int column, bool descending = false)
    {
        _rows.Sort((a, b) =>
        {
            int order = double.TryParse(a[column], out double x) && double.TryParse(b[column], out double y)
                ? x.CompareTo(y)
                : string.CompareOrdinal(a[column], b[column]);
            return descending ? -order : order;
        });
        return this;
    }

    public override string ToString()
    {
        var widths = new int[_headings.Length];
        var numeric = new bool[_headings.Length];
        for (int column = 0; column < widths.Length; column++)
        {
            widths[column] = _rows.Select(r => r[column].Length).Append(_headings[column].Length).Max();
            numeric[column] = _rows.Count > 0 && _rows.All(r => r[column].Length == 0 || char.IsAsciiDigit(r[column][^1]));
        }

        var text = new StringBuilder();
        AppendRow(text, _headings, widths, numeric);
        text.Append(string.Join("  ", widths.Select(w => new string('-', w)))).Append('\n');
        foreach (var row in _rows)
        {
            AppendRow(text, row, widths, numeric);
        }

        return text.ToString();
    }

    private static void AppendRow(StringBuilder text, string[] cells, int[] widths, bool[] numeric)
    {
        int start = text.Length;
        for (int i = 0; i < cells.Length; i++)
        {
            text.Append(i > 0 ? "  " : "");
            text.Append(numeric[i] ? cells[i].PadLeft(widths[i]) : cells[i].PadRight(widths[i]));
        }

        while (text.Length > start && text[^1] == ' ')
        {
            text.Length--;
        }

        text.Append('\n');
    }

    private static string CellText(object? cell) => cell switch
    {
        null => "",
        double d => FormattableString.Invariant($"{d:0.00}"),
        IFormattable f => f.ToString(null, System.Globalization.CultureInfo.InvariantCulture),
        _ => cell.ToString() ?? "",
    };
}
