using System.Runtime.CompilerServices;
using System.Threading.Channels;

namespace Toolbox.Pipelines;

/// <summary>Stages that pass items on, each running while the others do; the order of items is kept.</summary>
public sealed class Pipeline<TIn, TOut>
{
    private readonly Func<IAsyncEnumerable<TIn>, CancellationToken, IAsyncEnumerable<TOut>> _run;

    internal Pipeline(Func<IAsyncEnumerable<TIn>, CancellationToken, IAsyncEnumerable<TOut>> run)
    {
        _run = run;
    }

    public Pipeline<TIn, TNext> Select<TNext>(Func<TOut, TNext> map)
    {
        return new((items, cancel) => Map(_run(items, cancel), map));
    }

    public Pipeline<TIn, TNext> Select<TNext>(Func<TOut, Task<TNext>> map)
    {
        return new((items, cancel) => MapAsync(_run(items, cancel), map));
    }

    public Pipeline<TIn, TOut> Where(Func<TOut, bool> keep)
    {
        return new((items, cancel) => Filter(_run(items, cancel), keep));
    }

    public Pipeline<TIn, List<TOut>> Batch(int size)
    {
        return new((items, cancel) => Batch(_run(items, cancel), size));
    }

    /// <summary>What comes before runs ahead by up to `capacity` items.</summary>
    public Pipeline<TIn, TOut> Buffer(int capacity)
    {
        return new((items, cancel) => Buffer(_run(items, cancel), capacity, cancel));
    }

    public async Task<List<TOut>> RunAsync(IEnumerable<TIn> items, CancellationToken cancel = default)
    {
        var results = new List<TOut>();
        await foreach (var result in _run(Pipeline.ToAsync(items, cancel), cancel))
        {
            cancel.ThrowIfCancellationRequested();
            results.Add(result);
        }

        return results;
    }

    private static async IAsyncEnumerable<TNext> Map<TNext>(IAsyncEnumerable<TOut> items, Func<TOut, TNext> map)
    {
        await foreach (var item in items)
        {
            yield return map(item);
        }
    }

    private static async IAsyncEnumerable<TNext> MapAsync<TNext>(IAsyncEnumerable<TOut> items, Func<TOut, Task<TNext>> map)
    {
        await foreach (var item in items)
        {
            yield return await map(item).ConfigureAwait(false);
        }
    }

    private static async IAsyncEnumerable<TOut> Filter(IAsyncEnumerable<TOut> items, Func<TOut, bool> keep)
    {
        await foreach (var item in items)
        {
            if (keep(item))
            {
                yield return item;
            }
        }
    }

    private static async IAsyncEnumerable<List<TOut>> Batch(IAsyncEnumerable<TOut> items, int size)
    {
        var batch = new List<TOut>(size);
        await foreach (var item in items)
        {
            batch.Add(item);
            if (batch.Count == size)
            {
                yield return batch;
                batch = new List<TOut>(size);
            }
        }

        if (batch.Count > 0)
        {
            yield return batch;
        }
    }

    private static async IAsyncEnumerable<TOut> Buffer(
        IAsyncEnumerable<TOut> items,
        int capacity,
        [EnumeratorCancellation] CancellationToken cancel)
    {
        var channel = Channel.CreateBounded<TOut>(new BoundedChannelOptions(capacity) { SingleReader = true, SingleWriter = true });
        var producer = Task.Run(
            async () =>
            {
                try
                {
                    await foreach (var item in items)
                    {
                        await channel.Writer.WriteAsync(item, cancel);
                    }

                    channel.Writer.Complete();
                }
                catch (Exception e)
                {
                    channel.Writer.Complete(e);
                }
            },
            CancellationToken.None);

        await foreach (var item in channel.Reader.ReadAllAsync(cancel))
        {
            yield return item;
        }

        await producer;
    }
}

public static class Pipeline
{
    public static Pipeline<T, T> Of<T>() => new((items, _) => items);

    internal static async IAsyncEnumerable<T> ToAsync<T>(
        IEnumerable<T> items,
        [EnumeratorCancellation] CancellationToken cancel)
    {
        int count = 0;
        foreach (var item in items)
        {
            cancel.ThrowIfCancellationRequested();
            if (++count % 16 == 0)
            {
                await Task.Yield();
            }

            yield return item;
        }
    }
}
