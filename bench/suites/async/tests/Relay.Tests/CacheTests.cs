namespace Relay.Tests;

public class CacheTests
{
    [Theory]
    [InlineData(300_000, 1_000)]
    [InlineData(20_000, 20_000)]
    public async Task Each_key_is_fetched_once(int reads, int keys)
    {
        var cache = new Cache<int, string>(async key =>
        {
            await Task.Yield();
            return "value " + key;
        });
        for (int i = 0; i < reads; i++)
        {
            Assert.Equal(i % keys % 10, (await cache.GetAsync(i % keys))[^1] - '0');
        }

        Assert.Equal(keys, cache.Fetched);
    }

    [Fact]
    public async Task Many_readers_fetch_once()
    {
        var cache = new Cache<string, int>(async key =>
        {
            await Task.Delay(1);
            return key.Length;
        });
        int[] lengths = await Task.WhenAll(Enumerable.Range(0, 2_000).Select(_ => cache.GetAsync("four").AsTask()));
        Assert.All(lengths, length => Assert.Equal(4, length));
        Assert.Equal(1, cache.Fetched);
    }
}
