namespace Pebble;

/// <summary>The variables of a block, and around it those of the next one.</summary>
public sealed class Scope(Scope? outer)
{
    private string[] _names = new string[4];
    private Value[] _values = new Value[4];
    private int _count;

    public void Define(string name, Value value)
    {
        int slot = Find(name);
        if (slot < 0)
        {
            if (_count == _names.Length)
            {
                Array.Resize(ref _names, 2 * _count);
                Array.Resize(ref _values, 2 * _count);
            }

            slot = _count++;
            _names[slot] = name;
        }

        _values[slot] = value;
    }

    public bool TryGet(string name, out Value value)
    {
        for (var scope = this; scope != null; scope = scope.Outer)
        {
            int slot = scope.Find(name);
            if (slot >= 0)
            {
                value = scope._values[slot];
                return true;
            }
        }

        value = default;
        return false;
    }

    public bool TrySet(string name, Value value)
    {
        for (var scope = this; scope != null; scope = scope.Outer)
        {
            int slot = scope.Find(name);
            if (slot >= 0)
            {
                scope._values[slot] = value;
                return true;
            }
        }

        return false;
    }

    private Scope? Outer => outer;

    private int Find(string name)
    {
        for (int i = _count - 1; i >= 0; i--)
        {
            if (ReferenceEquals(_names[i], name) || _names[i] == name)
            {
                return i;
            }
        }

        return -1;
    }
}
