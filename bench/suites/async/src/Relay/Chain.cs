namespace Relay;

/// <summary>Steps that a message goes through, each of which may pass it on, change it or end it.</summary>
public sealed class Chain<T>
{
    private readonly List<Func<T, Func<T, Task<T>>, Task<T>>> _steps = [];

    public Chain<T> Then(Func<T, Func<T, Task<T>>, Task<T>> step)
    {
        _steps.Add(step);
        return this;
    }

    public Task<T> RunAsync(T message) => RunFromAsync(0, message);

    private async Task<T> RunFromAsync(int index, T message)
    {
        if (index == _steps.Count)
        {
            return message;
        }

        return await _steps[index](message, next => RunFromAsync(index + 1, next));
    }
}
