namespace Toolbox.Json;

/// <summary>Finds values by a small path language: .name, [3], [-1], [*] and ..name for any depth.</summary>
public static class JsonPath
{
    private enum StepKind
    {
        Member,
        Index,
        Every,
        Anywhere,
    }

    public static List<JsonValue> Select(JsonValue root, string path)
    {
        IEnumerable<JsonValue> found = [root];
        foreach (var step in Parse(path))
        {
            found = step.Kind switch
            {
                StepKind.Member => found.Where(v => v.TryGet(step.Name, out _)).Select(v => v[step.Name]),
                StepKind.Index => found.SelectMany(v => At(v, step.Index)),
                StepKind.Every => found.SelectMany(v => v),
                _ => found.SelectMany(v => Anywhere(v, step.Name)),
            };
        }

        return found.ToList();
    }

    public static JsonValue? First(JsonValue root, string path)
    {
        var found = Select(root, path);
        return found.Count > 0 ? found[0] : null;
    }

    private static IEnumerable<JsonValue> At(JsonValue value, int index)
    {
        if (value.Kind != JsonKind.Array)
        {
            yield break;
        }

        int position = index < 0 ? value.Count + index : index;
        if (position >= 0 && position < value.Count)
        {
            yield return value[position];
        }
    }

    private static IEnumerable<JsonValue> Anywhere(JsonValue value, string name)
    {
        if (value.TryGet(name, out var member))
        {
            yield return member;
        }

        foreach (var child in value)
        {
            foreach (var deeper in Anywhere(child, name))
            {
                yield return deeper;
            }
        }
    }

    private static List<(StepKind Kind, string Name, int Index)> Parse(string path)
    {
        var steps = new List<(StepKind, string, int)>();
        for (int at = 0; at < path.Length;)
        {
            if (path[at] == '[')
            {
                int end = path.IndexOf(']', at);
                string inside = end > 0 ? path[(at + 1)..end] : throw new FormatException($"[ has no end in {path}");
                if (inside == "*")
                {
                    steps.Add((StepKind.Every, "", 0));
                }
                else if (int.TryParse(inside, out int index))
                {
                    steps.Add((StepKind.Index, "", index));
                }
                else
                {
                    throw new FormatException($"[{inside}] is no index");
                }

                at = end + 1;
                continue;
            }

            var kind = StepKind.Member;
            if (path.AsSpan(at).StartsWith(".."))
            {
                kind = StepKind.Anywhere;
                at += 2;
            }
            else if (path[at] == '.')
            {
                at++;
            }

            int start = at;
            while (at < path.Length && path[at] is not ('.' or '['))
            {
                at++;
            }

            if (start == at)
            {
                throw new FormatException($"a name is missing in {path}");
            }

            steps.Add((kind, path[start..at], 0));
        }

        return steps;
    }
}
