namespace Relay;

/// <summary>Accounts in memory that answer at once or later, as a database with a cache does.</summary>
public sealed class Store(int laterEvery)
{
    private readonly Dictionary<int, long> _balances = [];
    private readonly Lock _lock = new();
    private int _calls;

    public async Task<long> ReadAsync(int account)
    {
        await AnswerAsync();
        lock (_lock)
        {
            return _balances.GetValueOrDefault(account);
        }
    }

    public async Task AddAsync(int account, long amount)
    {
        await AnswerAsync();
        lock (_lock)
        {
            _balances[account] = _balances.GetValueOrDefault(account) + amount;
        }
    }

    private async ValueTask AnswerAsync()
    {
        if (laterEvery > 0 && Interlocked.Increment(ref _calls) % laterEvery == 0)
        {
            await Task.Yield();
        }
    }
}
