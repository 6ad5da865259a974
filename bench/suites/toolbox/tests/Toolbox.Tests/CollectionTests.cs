using Toolbox.Collections;

namespace Toolbox.Tests;

public class CollectionTests
{
    [Fact]
    public void A_cache_forgets_what_was_used_longest_ago()
    {
        var cache = new LruCache<string, int>(2);
        var evicted = new List<string>();
        cache.Evicted += (key, _) => evicted.Add(key);
        cache.Set("a", 1);
        cache.Set("b", 2);
        Assert.True(cache.TryGet("a", out int a));
        cache.Set("c", 3);
        Assert.Equal(1, a);
        Assert.Equal(["b"], evicted);
        Assert.False(cache.TryGet("b", out _));
        Assert.Equal(["c", "a"], cache.KeysByUse());
        Assert.True(cache.Remove("a"));
        Assert.False(cache.Remove("a"));
        Assert.Equal((1L, 1L, 1), (cache.Hits, cache.Misses, cache.Count));
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 100, MemberType = typeof(Seeds))]
    public void A_cache_behaves_as_a_list_would(int seed)
    {
        var chance = new Chance(seed);
        int capacity = chance.Between(1, 8);
        var cache = new LruCache<int, int>(capacity);
        var model = new List<int>();
        for (int i = 0; i < 200; i++)
        {
            int key = chance.Next(12);
            Assert.Equal(key * key, cache.GetOrAdd(key, k => k * k));
            model.Remove(key);
            model.Insert(0, key);
            if (model.Count > capacity)
            {
                model.RemoveAt(capacity);
            }
        }

        Assert.Equal(model, cache.KeysByUse());
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 120, MemberType = typeof(Seeds))]
    public void A_heap_sorts(int seed)
    {
        var chance = new Chance(seed);
        var items = Enumerable.Range(0, chance.Between(0, 200)).Select(_ => chance.Next(50)).ToList();
        var pushed = new Heap<int>();
        items.ForEach(pushed.Push);
        Assert.Equal(items.Order(), pushed.Drain());
        Assert.Equal(items.OrderDescending(), new Heap<int>(items, Comparer<int>.Create((a, b) => b.CompareTo(a))).Drain());
    }

    [Fact]
    public void Equal_priorities_come_out_as_they_went_in()
    {
        var heap = new Heap<(int Priority, string Name)>(Comparer<(int Priority, string Name)>.Create((a, b) => a.Priority.CompareTo(b.Priority)));
        foreach (string name in new[] { "a", "b", "c", "d", "e" })
        {
            heap.Push((1, name));
        }

        heap.Push((0, "first"));
        Assert.Equal("first a b c d e".Split(' '), heap.Drain().Select(e => e.Name));
        Assert.Throws<InvalidOperationException>(() => heap.Peek());
        Assert.False(new Heap<string>().TryPop(out _));
    }

    [Fact]
    public void A_trie_knows_beginnings()
    {
        var trie = new Trie<int> { ["car"] = 1, ["card"] = 2, ["care"] = 3, ["cat"] = 4, ["dog"] = 5 };
        Assert.Equal(["car", "card", "care"], trie.WithPrefix("car").Select(p => p.Key));
        Assert.Equal("card", trie.LongestPrefixOf("cards"));
        Assert.Equal("", trie.LongestPrefixOf("bird"));
        Assert.True(trie.Remove("car"));
        Assert.False(trie.Remove("ca"));
        Assert.True(trie.TryGet("card", out int card));
        Assert.Equal((2, 4), (card, trie.Count));
        Assert.Empty(trie.WithPrefix("x"));
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 100, MemberType = typeof(Seeds))]
    public void A_trie_behaves_as_a_dictionary_would(int seed)
    {
        var chance = new Chance(seed);
        var trie = new Trie<int>();
        var model = new SortedDictionary<string, int>(StringComparer.Ordinal);
        for (int i = 0; i < 150; i++)
        {
            string word = chance.Word(5, "abc");
            if (chance.Next(3) == 0)
            {
                Assert.Equal(model.Remove(word), trie.Remove(word));
            }
            else
            {
                trie[word] = model[word] = i;
            }
        }

        Assert.Equal(model, trie.WithPrefix(""));
        Assert.Equal(model.Where(p => p.Key.StartsWith('b')), trie.WithPrefix("b"));
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 100, MemberType = typeof(Seeds))]
    public void An_interval_set_behaves_as_a_set_of_numbers_would(int seed)
    {
        var chance = new Chance(seed);
        var intervals = new IntervalSet();
        var model = new HashSet<int>();
        for (int i = 0; i < 30; i++)
        {
            int start = chance.Next(100), end = start + chance.Next(15);
            var points = Enumerable.Range(start, end - start);
            if (chance.Next(3) == 0)
            {
                intervals.Remove(start, end);
                model.ExceptWith(points);
            }
            else
            {
                intervals.Add(start, end);
                model.UnionWith(points);
            }

            Assert.Equal(model.Count, intervals.Total);
        }

        Assert.Equal(model.Order(), Enumerable.Range(0, 120).Where(intervals.Contains));
    }

    [Fact]
    public void Interval_sets_join_and_meet()
    {
        var a = new IntervalSet();
        a.Add(0, 10);
        a.Add(20, 30);
        var b = new IntervalSet();
        b.Add(5, 25);
        Assert.Equal("[0, 30)", (a | b).ToString());
        Assert.Equal("[5, 10) [20, 25)", (a & b).ToString());
        a.Add(10, 20);
        Assert.Equal(1, a.IntervalCount);
    }

    [Fact]
    public void A_ring_keeps_the_last()
    {
        var ring = new RingBuffer<int>(3);
        for (int i = 0; i < 5; i++)
        {
            ring.Add(i);
        }

        Assert.Equal([2, 3, 4], ring);
        Assert.Equal(3, ring[1]);
        Assert.Throws<ArgumentOutOfRangeException>(() => ring[3]);
        ring.Clear();
        Assert.Empty(ring);
    }
}
