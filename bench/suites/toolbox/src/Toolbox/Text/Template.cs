using System.Text;

namespace Toolbox.Text;

/// <summary>
/// Text with places to fill in: {name}, {name|upper}, {?name}shown when it is not empty{/}, {{ for a brace.
/// </summary>
public sealed class Template
{
    private readonly List<IPart> _parts;

    private Template(List<IPart> parts)
    {
        _parts = parts;
    }

    private interface IPart
    {
        void Render(StringBuilder output, Func<string, string?> values);
    }

    public static Template Parse(string source)
    {
        int position = 0;
        var parts = ParseParts(source, ref position, nested: false);
        return new Template(parts);
    }

    public string Render(IReadOnlyDictionary<string, string> values)
    {
        return Render(name => values.GetValueOrDefault(name));
    }

    public string Render(Func<string, string?> values)
    {
        var output = new StringBuilder();
        foreach (var part in _parts)
        {
            part.Render(output, values);
        }

        return output.ToString();
    }

    private static List<IPart> ParseParts(string source, ref int position, bool nested)
    {
        var parts = new List<IPart>();
        var literal = new StringBuilder();
        while (position < source.Length)
        {
            char c = source[position++];
            if (c != '{')
            {
                literal.Append(c);
                continue;
            }

            if (position < source.Length && source[position] == '{')
            {
                literal.Append('{');
                position++;
                continue;
            }

            int end = source.IndexOf('}', position);
            if (end < 0)
            {
                throw new FormatException($"the place at {position - 1} has no end");
            }

            string inside = source[position..end];
            position = end + 1;
            Flush(parts, literal);
            if (inside == "/")
            {
                return nested ? parts : throw new FormatException($"nothing is open at {end - 2}");
            }

            if (inside.StartsWith('?'))
            {
                parts.Add(new Section(inside[1..], ParseParts(source, ref position, nested: true)));
            }
            else
            {
                parts.Add(Place.Parse(inside));
            }
        }

        Flush(parts, literal);
        return nested ? throw new FormatException("a section has no end") : parts;
    }

    private static void Flush(List<IPart> parts, StringBuilder literal)
    {
        if (literal.Length > 0)
        {
            parts.Add(new Literal(literal.ToString()));
            literal.Clear();
        }
    }

    private sealed record Literal(string Text) : IPart
    {
        public void Render(StringBuilder output, Func<string, string?> values) => output.Append(Text);
    }

    private sealed record Section(string Name, List<IPart> Parts) : IPart
    {
        public void Render(StringBuilder output, Func<string, string?> values)
        {
            if (string.IsNullOrEmpty(values(Name)))
            {
                return;
            }

            foreach (var part in Parts)
            {
                part.Render(output, values);
            }
        }
    }

    private sealed record Place(string Name, List<Func<string, string>> Filters) : IPart
    {
        public static Place Parse(string inside)
        {
            var words = inside.Split('|', StringSplitOptions.TrimEntries);
            return new Place(words[0], words.Skip(1).Select(FilterOf).ToList());
        }

        public void Render(StringBuilder output, Func<string, string?> values)
        {
            string text = values(Name) ?? throw new KeyNotFoundException($"no value for {Name}");
            output.Append(Filters.Aggregate(text, (current, filter) => filter(current)));
        }

        private static Func<string, string> FilterOf(string filter)
        {
            int colon = filter.IndexOf(':');
            string name = colon < 0 ? filter : filter[..colon];
            string argument = colon < 0 ? "" : filter[(colon + 1)..];
            return name switch
            {
                "upper" => t => t.ToUpperInvariant(),
                "lower" => t => t.ToLowerInvariant(),
                "trim" => t => t.Trim(),
                "title" => Title,
                "left" => t => t.PadRight(int.Parse(argument)),
                "right" => t => t.PadLeft(int.Parse(argument)),
                "cut" => t => t.Length > int.Parse(argument) ? t[..int.Parse(argument)] + "…" : t,
                "default" => t => t.Length == 0 ? argument : t,
                _ => throw new FormatException($"no filter {name}"),
            };
        }

        private static string Title(string text)
        {
            bool start = true;
            return string.Create(text.Length, text, (span, source) =>
            {
                for (int i = 0; i < span.Length; i++)
                {
                    span[i] = start ? char.ToUpperInvariant(source[i]) : char.ToLowerInvariant(source[i]);
                    start = !char.IsLetterOrDigit(source[i]);
                }
            });
        }
    }
}
