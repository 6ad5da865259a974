namespace Relay.Tests;

public class RetryTests
{
    [Theory]
    [InlineData(2_000, 3)]
    public async Task What_works_in_the_end_is_returned(int runs, int needed)
    {
        for (int run = 0; run < runs; run++)
        {
            Assert.Equal(needed, await Retry.RunAsync(attempt => SometimesAsync(attempt, needed), 5, async _ => await Task.Yield()));
        }
    }

    [Fact]
    public async Task The_last_failure_is_passed_on() => await Assert.ThrowsAsync<TimeoutException>(
        () => Retry.RunAsync(attempt => SometimesAsync(attempt, 9), 3, _ => Task.CompletedTask));

    private static async Task<int> SometimesAsync(int attempt, int needed)
    {
        await Task.Yield();
        return attempt >= needed ? attempt : throw new TimeoutException();
    }
}
