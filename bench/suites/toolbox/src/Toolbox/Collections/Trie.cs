namespace Toolbox.Collections;

/// <summary>Words by their beginnings.</summary>
public sealed class Trie<TValue>
{
    private readonly Node _root = new();

    public int Count { get; private set; }

    public TValue this[string key]
    {
        set
        {
            var node = _root;
            foreach (char c in key)
            {
                node = node.ChildOrNew(c);
            }

            if (!node.HasValue)
            {
                Count++;
            }

            node.HasValue = true;
            node.Value = value;
        }
    }

    public bool TryGet(string key, out TValue? value)
    {
        var node = Find(key);
        value = node is { HasValue: true } ? node.Value : default;
        return node is { HasValue: true };
    }

    public IEnumerable<KeyValuePair<string, TValue>> WithPrefix(string prefix)
    {
        var start = Find(prefix);
        return start is null ? [] : Walk(start, prefix);
    }

    public string LongestPrefixOf(string text)
    {
        int longest = 0;
        var node = _root;
        for (int i = 0; i < text.Length; i++)
        {
            if (!node.Children.TryGetValue(text[i], out var next))
            {
                break;
            }

            node = next;
            if (node.HasValue)
            {
                longest = i + 1;
            }
        }

        return text[..longest];
    }

    public bool Remove(string key)
    {
        if (!Remove(_root, key, 0))
        {
            return false;
        }

        Count--;
        return true;
    }

    private static bool Remove(Node node, string key, int depth)
    {
        if (depth == key.Length)
        {
            bool had = node.HasValue;
            node.HasValue = false;
            node.Value = default;
            return had;
        }

        if (!node.Children.TryGetValue(key[depth], out var child) || !Remove(child, key, depth + 1))
        {
            return false;
        }

        if (!child.HasValue && child.Children.Count == 0)
        {
            node.Children.Remove(key[depth]);
        }

        return true;
    }

    private static IEnumerable<KeyValuePair<string, TValue>> Walk(Node node, string prefix)
    {
        if (node.HasValue)
        {
            yield return new(prefix, node.Value!);
        }

        foreach (var (letter, child) in node.Children)
        {
            foreach (var deeper in Walk(child, prefix + letter))
            {
                yield return deeper;
            }
        }
    }

    private Node? Find(string key)
    {
        Node? node = _root;
        foreach (char c in key)
        {
            node = node.Children.GetValueOrDefault(c);
            if (node is null)
            {
                break;
            }
        }

        return node;
    }

    private sealed class Node
    {
        public SortedDictionary<char, Node> Children { get; } = [];

        public bool HasValue { get; set; }

        public TValue? Value { get; set; }

        public Node ChildOrNew(char c)
        {
            if (!Children.TryGetValue(c, out var child))
            {
                Children[c] = child = new Node();
            }

            return child;
        }
    }
}

internal static class SortedDictionaryExtensions
{
    public static TValue? GetValueOrDefault<TKey, TValue>(this SortedDictionary<TKey, TValue> dictionary, TKey key)
        where TKey : notnull
    {
        return dictionary.TryGetValue(key, out var value) ? value : default;
    }
}
