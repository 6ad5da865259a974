namespace Relay.Tests;

public class BankTests
{
    private const int Accounts = 50;

    [Theory]
    [InlineData(0, 60_000)]
    [InlineData(1, 20_000)]
    [InlineData(7, 60_000)]
    public async Task Transfers_keep_the_sum(int laterEvery, int transfers)
    {
        var store = new Store(laterEvery);
        var bank = new Bank(store);
        for (int account = 0; account < Accounts; account++)
        {
            await store.AddAsync(account, 100);
        }

        int done = 0;
        for (int i = 0; i < transfers; i++)
        {
            done += await bank.TransferAsync(i % Accounts, i * 7 % Accounts, i % 13) == Outcome.Done ? 1 : 0;
        }

        Assert.InRange(done, 1, transfers);
        Assert.Equal(100 * Accounts, await bank.SumAsync(Enumerable.Range(0, Accounts)));
    }

    [Fact]
    public async Task Transfers_at_once_keep_the_sum()
    {
        var store = new Store(5);
        var bank = new Bank(store);
        await store.AddAsync(0, 1_000_000);
        await Task.WhenAll(Enumerable.Range(1, 8).Select(async account =>
        {
            for (int i = 0; i < 5_000; i++)
            {
                await bank.TransferAsync(0, account, 1);
            }
        }));
        Assert.Equal(960_000, await store.ReadAsync(0));
        Assert.Equal(1_000_000, await bank.SumAsync(Enumerable.Range(0, 9)));
    }

    [Theory]
    [InlineData(1, 1, 5, Outcome.Refused)]
    [InlineData(1, 2, 0, Outcome.Refused)]
    [InlineData(1, 2, 5, Outcome.TooLittle)]
    public async Task What_is_not_done(int from, int to, long amount, Outcome expected) =>
        Assert.Equal(expected, await new Bank(new Store(2)).TransferAsync(from, to, amount));
}
