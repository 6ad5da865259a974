using System.Threading.Channels;

namespace Relay;

/// <summary>Stages that hand numbers to each other through channels.</summary>
public static class Stages
{
    public static ChannelReader<int> Source(int count)
    {
        var channel = Channel.CreateBounded<int>(64);
        _ = FillAsync(channel.Writer, count);
        return channel.Reader;
    }

    public static ChannelReader<int> Map(this ChannelReader<int> input, Func<int, ValueTask<int>> change)
    {
        var channel = Channel.CreateBounded<int>(64);
        _ = MapAsync(input, channel.Writer, change);
        return channel.Reader;
    }

    public static async Task<long> SumAsync(this ChannelReader<int> input)
    {
        long sum = 0;
        await foreach (int item in input.ReadAllAsync())
        {
            sum += item;
        }

        return sum;
    }

    private static async Task FillAsync(ChannelWriter<int> output, int count)
    {
        for (int i = 1; i <= count; i++)
        {
            await output.WriteAsync(i);
        }

        output.Complete();
    }

    private static async Task MapAsync(ChannelReader<int> input, ChannelWriter<int> output, Func<int, ValueTask<int>> change)
    {
        try
        {
            await foreach (int item in input.ReadAllAsync())
            {
                int changed = await change(item);
                if (changed != 0)
                {
                    await output.WriteAsync(changed);
                }
            }

            output.Complete();
        }
        catch (Exception e)
        {
            output.Complete(e);
        }
    }
}
