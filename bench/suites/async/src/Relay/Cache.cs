namespace Relay;

/// <summary>Values that are fetched once. Most calls find theirs, and complete synchronously.</summary>
public sealed class Cache<TKey, TValue>(Func<TKey, Task<TValue>> fetch) where TKey : notnull
{
    private readonly Dictionary<TKey, Task<TValue>> _known = [];
    private readonly SemaphoreSlim _turn = new(1);

    public int Fetched { get; private set; }

    public async ValueTask<TValue> GetAsync(TKey key)
    {
        await _turn.WaitAsync();
        Task<TValue>? value;
        try
        {
            if (!_known.TryGetValue(key, out value))
            {
                value = fetch(key);
                _known[key] = value;
                Fetched++;
            }
        }
        finally
        {
            _turn.Release();
        }

        return await value;
    }
}
