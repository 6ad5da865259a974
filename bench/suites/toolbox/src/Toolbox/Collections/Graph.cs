namespace Toolbox.Collections;

public sealed class CycleException<T>(IReadOnlyList<T> cycle) : Exception("the graph has a cycle: " + string.Join(" -> ", cycle))
{
    public IReadOnlyList<T> Cycle { get; } = cycle;
}

/// <summary>A directed graph with lengths on its edges.</summary>
public sealed class Graph<T>
    where T : notnull
{
    private readonly Dictionary<T, List<(T To, double Length)>> _edges = [];

    public int Count => _edges.Count;

    public IEnumerable<T> Nodes => _edges.Keys;

    public Graph<T> AddNode(T node)
    {
        _edges.TryAdd(node, []);
        return this;
    }

    public Graph<T> AddEdge(T from, T to, double length = 1)
    {
        if (length < 0)
        {
            throw new ArgumentOutOfRangeException(nameof(length), "lengths must not be negative");
        }

        AddNode(from);
        AddNode(to);
        _edges[from].Add((to, length));
        return this;
    }

    public Graph<T> AddBoth(T a, T b, double length = 1) => AddEdge(a, b, length).AddEdge(b, a, length);

    public IEnumerable<T> BreadthFirst(T start)
    {
        var seen = new HashSet<T> { start };
        var queue = new Queue<T>();
        queue.Enqueue(start);
        while (queue.TryDequeue(out var node))
        {
            yield return node;
            foreach (var (to, _) in _edges[node])
            {
                if (seen.Add(to))
                {
                    queue.Enqueue(to);
                }
            }
        }
    }

    /// <summary>Dijkstra's way; null when there is none.</summary>
    public (double Length, List<T> Path)? ShortestPath(T from, T to)
    {
        var best = new Dictionary<T, double> { [from] = 0 };
        var previous = new Dictionary<T, T>();
        var queue = new Heap<(double Length, T Node)>(Comparer<(double Length, T Node)>.Create((a, b) => a.Length.CompareTo(b.Length)));
        queue.Push((0, from));
        while (queue.Count > 0)
        {
            var (length, node) = queue.Pop();
            if (EqualityComparer<T>.Default.Equals(node, to))
            {
                return (length, PathTo(node, previous));
            }

            if (length > best[node])
            {
                continue;
            }

            foreach (var (next, step) in _edges[node])
            {
                double total = length + step;
                if (!best.TryGetValue(next, out double known) || total < known)
                {
                    best[next] = total;
                    previous[next] = node;
                    queue.Push((total, next));
                }
            }
        }

        return null;
    }

    public List<T> TopologicalOrder()
    {
        var order = new List<T>();
        var done = new HashSet<T>();
        var path = new List<T>();
        foreach (var node in _edges.Keys)
        {
            Visit(node);
        }

        order.Reverse();
        return order;

        void Visit(T node)
        {
            if (done.Contains(node))
            {
                return;
            }

            int at = path.IndexOf(node);
            if (at >= 0)
            {
                throw new CycleException<T>([.. path.Skip(at), node]);
            }

            path.Add(node);
            foreach (var (to, _) in _edges[node])
            {
                Visit(to);
            }

            path.RemoveAt(path.Count - 1);
            done.Add(node);
            order.Add(node);
        }
    }

    public List<List<T>> Components()
    {
        var sets = new DisjointSets<T>(_edges.Keys);
        foreach (var (from, edges) in _edges)
        {
            foreach (var (to, _) in edges)
            {
                sets.Union(from, to);
            }
        }

        return _edges.Keys.GroupBy(sets.Find).Select(g => g.ToList()).ToList();
    }

    private static List<T> PathTo(T node, Dictionary<T, T> previous)
    {
        var path = new List<T> { node };
        while (previous.TryGetValue(node, out var before))
        {
            path.Add(before);
            node = before;
        }

        path.Reverse();
        return path;
    }
}

/// <summary>Union and find, by size, with path halving.</summary>
public sealed class DisjointSets<T>
    where T : notnull
{
    private readonly Dictionary<T, T> _parents = [];
    private readonly Dictionary<T, int> _sizes = [];

    public DisjointSets(IEnumerable<T> items)
    {
        foreach (var item in items)
        {
            _parents[item] = item;
            _sizes[item] = 1;
        }

        SetCount = _parents.Count;
    }

    public int SetCount { get; private set; }

    public T Find(T item)
    {
        var comparer = EqualityComparer<T>.Default;
        while (!comparer.Equals(_parents[item], item))
        {
            _parents[item] = _parents[_parents[item]];
            item = _parents[item];
        }

        return item;
    }

    public bool Union(T a, T b)
    {
        a = Find(a);
        b = Find(b);
        if (EqualityComparer<T>.Default.Equals(a, b))
        {
            return false;
        }

        if (_sizes[a] < _sizes[b])
        {
            (a, b) = (b, a);
        }

        _parents[b] = a;
        _sizes[a] += _sizes[b];
        SetCount--;
        return true;
    }
}
