using System.Collections;

namespace Toolbox.Collections;

/// <summary>A priority queue as a binary heap; equal priorities come out as they went in.</summary>
public sealed class Heap<T> : IReadOnlyCollection<T>
{
    private readonly List<Entry> _entries = [];
    private readonly IComparer<T> _comparer;
    private long _added;

    public Heap(IComparer<T>? comparer = null)
    {
        _comparer = comparer ?? Comparer<T>.Default;
    }

    public Heap(IEnumerable<T> items, IComparer<T>? comparer = null)
        : this(comparer)
    {
        foreach (var item in items)
        {
            _entries.Add(new Entry(item, _added++));
        }

        for (int i = (_entries.Count / 2) - 1; i >= 0; i--)
        {
            SiftDown(i);
        }
    }

    public int Count => _entries.Count;

    public void Push(T item)
    {
        _entries.Add(new Entry(item, _added++));
        SiftUp(_entries.Count - 1);
    }

    public T Peek() => _entries.Count > 0 ? _entries[0].Item : throw new InvalidOperationException("the heap is empty");

    public T Pop()
    {
        var top = Peek();
        int last = _entries.Count - 1;
        _entries[0] = _entries[last];
        _entries.RemoveAt(last);
        if (last > 1)
        {
            SiftDown(0);
        }

        return top;
    }

    public bool TryPop(out T? item)
    {
        item = Count > 0 ? Pop() : default;
        return item is not null;
    }

    public IEnumerable<T> Drain()
    {
        while (Count > 0)
        {
            yield return Pop();
        }
    }

    public IEnumerator<T> GetEnumerator() => _entries.Select(e => e.Item).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    private bool IsBefore(int a, int b)
    {
        int order = _comparer.Compare(_entries[a].Item, _entries[b].Item);
        return order != 0 ? order < 0 : _entries[a].Number < _entries[b].Number;
    }

    private void SiftUp(int index)
    {
        while (index > 0)
        {
            int parent = (index - 1) / 2;
            if (!IsBefore(index, parent))
            {
                return;
            }

            Swap(index, parent);
            index = parent;
        }
    }

    private void SiftDown(int index)
    {
        for (; ; )
        {
            int first = index;
            for (int child = (2 * index) + 1; child <= (2 * index) + 2 && child < _entries.Count; child++)
            {
                if (IsBefore(child, first))
                {
                    first = child;
                }
            }

            if (first == index)
            {
                return;
            }

            Swap(index, first);
            index = first;
        }
    }

    private void Swap(int a, int b) => (_entries[a], _entries[b]) = (_entries[b], _entries[a]);

    private readonly record struct Entry(T Item, long Number);
}
