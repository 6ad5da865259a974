using System.Diagnostics.CodeAnalysis;

namespace Toolbox.Collections;

/// <summary>Keeps the entries that were used last; safe for many threads.</summary>
public sealed class LruCache<TKey, TValue>
    where TKey : notnull
{
    private readonly Dictionary<TKey, LinkedListNode<(TKey Key, TValue Value)>> _nodes;
    private readonly LinkedList<(TKey Key, TValue Value)> _byUse = new();
    private readonly Lock _lock = new();

    public LruCache(int capacity, IEqualityComparer<TKey>? comparer = null)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(capacity);
        Capacity = capacity;
        _nodes = new(comparer);
    }

    public event Action<TKey, TValue>? Evicted;

    public int Capacity { get; }

    public int Count
    {
        get
        {
            lock (_lock)
            {
                return _nodes.Count;
            }
        }
    }

    public long Hits { get; private set; }

    public long Misses { get; private set; }

    public bool TryGet(TKey key, [MaybeNullWhen(false)] out TValue value)
    {
        lock (_lock)
        {
            if (!_nodes.TryGetValue(key, out var node))
            {
                Misses++;
                value = default;
                return false;
            }

            Hits++;
            _byUse.Remove(node);
            _byUse.AddFirst(node);
            value = node.Value.Value;
            return true;
        }
    }

    public TValue GetOrAdd(TKey key, Func<TKey, TValue> make)
    {
        if (TryGet(key, out var known))
        {
            return known;
        }

        var value = make(key);
        Set(key, value);
        return value;
    }

    public void Set(TKey key, TValue value)
    {
        (TKey Key, TValue Value)? evicted = null;
        lock (_lock)
        {
            if (_nodes.Remove(key, out var old))
            {
                _byUse.Remove(old);
            }
            else if (_nodes.Count == Capacity)
            {
                var last = _byUse.Last!;
                _byUse.RemoveLast();
                _nodes.Remove(last.Value.Key);
                evicted = last.Value;
            }

            _nodes[key] = _byUse.AddFirst((key, value));
        }

        if (evicted is var (evictedKey, evictedValue))
        {
            Evicted?.Invoke(evictedKey, evictedValue);
        }
    }

    public bool Remove(TKey key)
    {
        lock (_lock)
        {
            if (!_nodes.Remove(key, out var node))
            {
                return false;
            }

            _byUse.Remove(node);
            return true;
        }
    }

    public TKey[] KeysByUse()
    {
        lock (_lock)
        {
            return _byUse.Select(e => e.Key).ToArray();
        }
    }
}
