namespace Relay;

/// <summary>Tries again what failed.</summary>
public static class Retry
{
    public static async Task<T> RunAsync<T>(Func<int, Task<T>> action, int attempts, Func<int, Task> pause)
    {
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                return await action(attempt);
            }
            catch (TimeoutException) when (attempt < attempts)
            {
                await pause(attempt);
            }
        }
    }
}
