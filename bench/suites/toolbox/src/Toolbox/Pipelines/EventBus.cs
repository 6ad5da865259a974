using System.Collections.Concurrent;

namespace Toolbox.Pipelines;

/// <summary>Tells whoever asked for a kind of event, or for a base class of it.</summary>
public sealed class EventBus
{
    private readonly ConcurrentDictionary<Type, List<Subscription>> _subscriptions = new();
    private int _published;

    public int Published => _published;

    public IDisposable Subscribe<T>(Action<T> handler, int priority = 0)
        where T : class
    {
        var subscription = new Subscription(this, typeof(T), e => handler((T)e), priority);
        var list = _subscriptions.GetOrAdd(typeof(T), _ => []);
        lock (list)
        {
            list.Add(subscription);
            list.Sort((a, b) => b.Priority.CompareTo(a.Priority));
        }

        return subscription;
    }

    public int Publish(object message)
    {
        Interlocked.Increment(ref _published);
        int told = 0;
        List<Exception>? failures = null;
        for (var type = message.GetType(); type is not null; type = type.BaseType)
        {
            if (!_subscriptions.TryGetValue(type, out var list))
            {
                continue;
            }

            Subscription[] current;
            lock (list)
            {
                current = [.. list];
            }

            foreach (var subscription in current)
            {
                try
                {
                    subscription.Handler(message);
                    told++;
                }
                catch (Exception e)
                {
                    (failures ??= []).Add(e);
                }
            }
        }

        return failures is null ? told : throw new AggregateException(failures);
    }

    private sealed record Subscription(EventBus Bus, Type Type, Action<object> Handler, int Priority) : IDisposable
    {
        public void Dispose()
        {
            if (Bus._subscriptions.TryGetValue(Type, out var list))
            {
                lock (list)
                {
                    list.Remove(this);
                }
            }
        }
    }
}
