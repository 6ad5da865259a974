namespace Relay.Tests;

public class StagesTests
{
    [Theory]
    [InlineData(0, 0)]
    [InlineData(10, 30)]
    [InlineData(150_000, 75_000L * 75_001)]
    public async Task Even_numbers_pass(int count, long expected) => Assert.Equal(expected, await Stages.Source(count)
        .Map(item => new ValueTask<int>(item % 2 == 0 ? item : 0))
        .Map(async item =>
        {
            if (item % 100 == 0)
            {
                await Task.Yield();
            }

            return item;
        })
        .SumAsync());

    [Fact]
    public async Task A_failure_arrives_at_the_end() => await Assert.ThrowsAsync<InvalidOperationException>(() => Stages.Source(100)
        .Map(item => item == 50 ? throw new InvalidOperationException() : new ValueTask<int>(item))
        .SumAsync());
}
