using Toolbox.Pipelines;

namespace Toolbox.Tests;

public class PipelineTests
{
    [Theory]
    [MemberData(nameof(Seeds.UpTo), 60, MemberType = typeof(Seeds))]
    public async Task Items_keep_their_order(int seed)
    {
        var chance = new Chance(seed);
        int count = chance.Between(0, 200), size = chance.Between(1, 9), divisor = chance.Between(1, 5);
        var pipeline = Pipeline.Of<int>()
            .Select(n => n * 3)
            .Where(n => n % divisor == 0)
            .Buffer(chance.Between(1, 16))
            .Select(async n =>
            {
                await Task.Yield();
                return n + 1;
            })
            .Batch(size);
        var batches = await pipeline.RunAsync(Enumerable.Range(0, count));
        var expected = Enumerable.Range(0, count).Select(n => n * 3).Where(n => n % divisor == 0).Select(n => n + 1).ToList();
        Assert.Equal(expected, batches.SelectMany(b => b));
        Assert.All(batches.SkipLast(1), b => Assert.Equal(size, b.Count));
    }

    [Fact]
    public async Task A_failure_comes_out_at_the_end()
    {
        var pipeline = Pipeline.Of<int>().Select(n => 10 / (n - 3)).Buffer(2);
        await Assert.ThrowsAsync<DivideByZeroException>(() => pipeline.RunAsync(Enumerable.Range(0, 10)));
    }

    [Fact]
    public async Task Can_be_cancelled()
    {
        using var cancel = new CancellationTokenSource();
        var pipeline = Pipeline.Of<int>().Select(n =>
        {
            if (n == 5)
            {
                cancel.Cancel();
            }

            return n;
        });
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => pipeline.RunAsync(Enumerable.Range(0, 100), cancel.Token));
    }

    [Theory]
    [InlineData(1, 0)]
    [InlineData(2, 100)]
    [InlineData(3, 300)]
    [InlineData(4, 700)]
    [InlineData(5, 1200)]
    public async Task Retries_later_and_later(int succeedsAt, int milliseconds)
    {
        var clock = new VirtualClock();
        var policy = new RetryPolicy(clock) { Attempts = 5, MostDelay = TimeSpan.FromMilliseconds(500) };
        string result = await policy.RunAsync(async attempt =>
        {
            await Task.Yield();
            return attempt == succeedsAt ? "done" : throw new TimeoutException();
        });
        Assert.Equal("done", result);
        Assert.Equal(milliseconds, clock.Now.TotalMilliseconds);
        Assert.Equal(succeedsAt - 1, clock.Delays.Count);
    }

    [Fact]
    public async Task Gives_up_at_once_where_it_has_no_sense()
    {
        var clock = new VirtualClock();
        var policy = new RetryPolicy(clock).OnlyFor<TimeoutException>();
        await Assert.ThrowsAsync<FormatException>(() => policy.RunAsync<int>(_ => throw new FormatException()));
        Assert.Empty(clock.Delays);
        await Assert.ThrowsAsync<TimeoutException>(() => policy.RunAsync<int>(_ => throw new TimeoutException()));
        Assert.Equal(2, clock.Delays.Count);
    }

    [Fact]
    public async Task A_breaker_opens_and_closes()
    {
        var clock = new VirtualClock();
        var breaker = new CircuitBreaker(clock, threshold: 2, rest: TimeSpan.FromSeconds(30));
        Assert.True(await breaker.TryAsync(() => Task.CompletedTask));
        Assert.False(await breaker.TryAsync(() => throw new TimeoutException()));
        Assert.Equal(CircuitState.Closed, breaker.State);
        Assert.False(await breaker.TryAsync(() => throw new TimeoutException()));
        Assert.Equal(CircuitState.Open, breaker.State);
        Assert.False(await breaker.TryAsync(() => throw new InvalidOperationException("must not run")));
        await clock.Delay(TimeSpan.FromSeconds(31));
        Assert.Equal(CircuitState.HalfOpen, breaker.State);
        Assert.True(await breaker.TryAsync(() => Task.CompletedTask));
        Assert.Equal(CircuitState.Closed, breaker.State);
    }

    [Fact]
    public void A_bus_tells_who_asked()
    {
        var bus = new EventBus();
        var heard = new List<string>();
        using (bus.Subscribe<ArgumentException>(e => heard.Add("argument"), priority: -1))
        using (bus.Subscribe<ArgumentException>(e => heard.Add("first"), priority: 5))
        using (bus.Subscribe<Exception>(e => heard.Add("any")))
        {
            Assert.Equal(3, bus.Publish(new ArgumentNullException()));
            Assert.Equal(1, bus.Publish(new FormatException()));
        }

        Assert.Equal(0, bus.Publish(new FormatException()));
        Assert.Equal(["first", "argument", "any", "any"], heard);
        Assert.Equal(3, bus.Published);
    }

    [Fact]
    public void A_bus_tells_everyone_even_if_one_fails()
    {
        var bus = new EventBus();
        int told = 0;
        using var bad = bus.Subscribe<string>(_ => throw new FormatException());
        using var good = bus.Subscribe<string>(_ => told++);
        var error = Assert.Throws<AggregateException>(() => bus.Publish("news"));
        Assert.Single(error.InnerExceptions);
        Assert.Equal(1, told);
    }
}
