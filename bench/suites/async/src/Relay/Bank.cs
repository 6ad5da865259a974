namespace Relay;

public enum Outcome
{
    Done,
    TooLittle,
    Refused,
}

/// <summary>Moves amounts between accounts, one transfer from an account at a time.</summary>
public sealed class Bank(Store store)
{
    private readonly SemaphoreSlim[] _turns = [.. Enumerable.Range(0, 16).Select(_ => new SemaphoreSlim(1))];

    public async Task<Outcome> TransferAsync(int from, int to, long amount, CancellationToken stop = default)
    {
        if (!await IsAllowedAsync(from, to, amount))
        {
            return Outcome.Refused;
        }

        var turn = _turns[from % _turns.Length];
        await turn.WaitAsync(stop);
        try
        {
            long balance = await store.ReadAsync(from);
            if (balance < amount)
            {
                return Outcome.TooLittle;
            }

            await store.AddAsync(from, -amount);
            await store.AddAsync(to, amount);
            return Outcome.Done;
        }
        finally
        {
            turn.Release();
        }
    }

    public async Task<long> SumAsync(IEnumerable<int> accounts)
    {
        long sum = 0;
        await foreach (long balance in BalancesAsync(accounts))
        {
            sum += balance;
        }

        return sum;
    }

    private async IAsyncEnumerable<long> BalancesAsync(IEnumerable<int> accounts)
    {
        foreach (int account in accounts)
        {
            yield return await store.ReadAsync(account);
        }
    }

    private static ValueTask<bool> IsAllowedAsync(int from, int to, long amount) => new(from != to && amount > 0);
}
