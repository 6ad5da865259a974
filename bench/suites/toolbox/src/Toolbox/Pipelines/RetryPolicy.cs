namespace Toolbox.Pipelines;

/// <summary>Time that a test can turn.</summary>
public interface IClock
{
    TimeSpan Now { get; }

    Task Delay(TimeSpan time);
}

public sealed class VirtualClock : IClock
{
    private readonly List<TimeSpan> _delays = [];

    public TimeSpan Now { get; private set; }

    public IReadOnlyList<TimeSpan> Delays => _delays;

    public async Task Delay(TimeSpan time)
    {
        await Task.Yield();
        _delays.Add(time);
        Now += time;
    }
}

/// <summary>Tries again, later and later.</summary>
public sealed class RetryPolicy
{
    private readonly IClock _clock;
    private Func<Exception, bool> _isTransient = _ => true;

    public RetryPolicy(IClock clock)
    {
        _clock = clock;
    }

    public int Attempts { get; init; } = 3;

    public TimeSpan FirstDelay { get; init; } = TimeSpan.FromMilliseconds(100);

    public TimeSpan MostDelay { get; init; } = TimeSpan.FromSeconds(10);

    public double Factor { get; init; } = 2;

    public RetryPolicy OnlyFor<TException>()
        where TException : Exception
    {
        _isTransient = e => e is TException;
        return this;
    }

    public async Task<T> RunAsync<T>(Func<int, Task<T>> action)
    {
        var delay = FirstDelay;
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                return await action(attempt);
            }
            catch (Exception e) when (attempt < Attempts && _isTransient(e))
            {
                await _clock.Delay(delay);
            }

            delay = TimeSpan.FromTicks(Math.Min((long)(delay.Ticks * Factor), MostDelay.Ticks));
        }
    }
}

public enum CircuitState
{
    Closed,
    Open,
    HalfOpen,
}

/// <summary>Stops asking a service that keeps failing, for a while.</summary>
public sealed class CircuitBreaker(IClock clock, int threshold, TimeSpan rest)
{
    private int _failures;
    private TimeSpan _openedAt;
    private bool _open;

    public CircuitState State => !_open ? CircuitState.Closed : clock.Now - _openedAt >= rest ? CircuitState.HalfOpen : CircuitState.Open;

    public async Task<bool> TryAsync(Func<Task> action)
    {
        if (State == CircuitState.Open)
        {
            return false;
        }

        try
        {
            await action();
        }
        catch (Exception) when (State == CircuitState.HalfOpen || ++_failures >= threshold)
        {
            _open = true;
            _openedAt = clock.Now;
            return false;
        }
        catch
        {
            return false;
        }

        _open = false;
        _failures = 0;
        return true;
    }
}
