namespace Relay.Tests;

public class ChainTests
{
    [Theory]
    [InlineData(40_000)]
    public async Task Each_step_has_its_turn(int messages)
    {
        var chain = new Chain<int>()
            .Then(async (message, next) => await next(message + 1))
            .Then(async (message, next) => message % 2 == 0 ? await next(message * 10) : -1)
            .Then(async (message, next) =>
            {
                if (message % 70 == 0)
                {
                    await Task.Yield();
                }

                return await next(message);
            });
        long sum = 0;
        for (int i = 0; i < messages; i++)
        {
            sum += await chain.RunAsync(i);
        }

        // Of 0 to n - 1 each odd number ends at ten times the next one, each even one at -1.
        long half = messages / 2;
        Assert.Equal((10 * half * (half + 1)) - half, sum);
    }

    [Fact]
    public async Task Nothing_in_it_changes_nothing() => Assert.Equal(5, await new Chain<int>().RunAsync(5));
}
