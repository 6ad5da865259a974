using System.Text;

namespace Toolbox.Text;

/// <summary>Comma-separated values after RFC 4180; any line end is read, \n is written.</summary>
public sealed class Csv(char separator = ',', char quote = '"')
{
    private enum State
    {
        FieldStart,
        Plain,
        Quoted,
        QuoteSeen,
    }

    public IEnumerable<string[]> Read(TextReader reader)
    {
        var fields = new List<string>();
        var field = new StringBuilder();
        var state = State.FieldStart;
        int line = 1;
        for (int next = reader.Read(); next >= 0; next = reader.Read())
        {
            char c = (char)next;
            if (c == '\n')
            {
                line++;
            }

            switch (state)
            {
                case State.Quoted when c == quote:
                    state = State.QuoteSeen;
                    break;
                case State.Quoted:
                    field.Append(c);
                    break;
                case State.QuoteSeen when c == quote:
                    field.Append(c);
                    state = State.Quoted;
                    break;
                case State.FieldStart when c == quote:
                    state = State.Quoted;
                    break;
                default:
                    if (c == '\r' && reader.Peek() == '\n')
                    {
                        break;
                    }

                    if (c == separator || c == '\n')
                    {
                        fields.Add(field.ToString());
                        field.Clear();
                        state = State.FieldStart;
                        if (c == '\n')
                        {
                            yield return [.. fields];
                            fields.Clear();
                        }
                    }
                    else if (state == State.QuoteSeen)
                    {
                        throw new FormatException($"line {line}: '{c}' behind a closing quote");
                    }
                    else
                    {
                        field.Append(c);
                        state = State.Plain;
                    }

                    break;
            }
        }

        if (state == State.Quoted)
        {
            throw new FormatException($"line {line}: a quote has no end");
        }

        if (fields.Count > 0 || field.Length > 0 || state == State.QuoteSeen)
        {
            fields.Add(field.ToString());
            yield return [.. fields];
        }
    }

    public List<string[]> Read(string text)
    {
        using var reader = new StringReader(text);
        return Read(reader).ToList();
    }

    public string Write(IEnumerable<IReadOnlyList<string>> rows)
    {
        var text = new StringBuilder();
        foreach (var row in rows)
        {
            for (int i = 0; i < row.Count; i++)
            {
                if (i > 0)
                {
                    text.Append(separator);
                }

                text.Append(Protect(row[i]));
            }

            text.Append('\n');
        }

        return text.ToString();
    }

    private string Protect(string field)
    {
        bool needsQuotes = field.Length > 0 && (field.Contains(separator) || field.Contains(quote) || field.AsSpan().ContainsAny('\r', '\n'));
        return needsQuotes ? $"{quote}{field.Replace($"{quote}", $"{quote}{quote}")}{quote}" : field;
    }
}
