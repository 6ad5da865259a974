using System.Collections;

namespace Toolbox.Collections;

/// <summary>The last n items.</summary>
public sealed class RingBuffer<T>(int capacity) : IReadOnlyList<T>
{
    private readonly T[] _items = new T[capacity];
    private int _start;

    public int Count { get; private set; }

    public bool IsFull => Count == _items.Length;

    public T this[int index]
    {
        get
        {
            if ((uint)index >= (uint)Count)
            {
                throw new ArgumentOutOfRangeException(nameof(index));
            }

            return _items[(_start + index) % _items.Length];
        }
    }

    public void Add(T item)
    {
        if (IsFull)
        {
            _items[_start] = item;
            _start = (_start + 1) % _items.Length;
        }
        else
        {
            _items[(_start + Count) % _items.Length] = item;
            Count++;
        }
    }

    public void Clear()
    {
        Array.Clear(_items);
        _start = Count = 0;
    }

    public IEnumerator<T> GetEnumerator()
    {
        for (int i = 0; i < Count; i++)
        {
            yield return this[i];
        }
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
