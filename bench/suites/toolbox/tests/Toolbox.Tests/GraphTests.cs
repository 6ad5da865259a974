using Toolbox.Collections;

namespace Toolbox.Tests;

public class GraphTests
{
    [Fact]
    public void Finds_the_shortest_path()
    {
        var roads = new Graph<string>()
            .AddBoth("A", "B", 7).AddBoth("A", "C", 9).AddBoth("A", "F", 14).AddBoth("B", "C", 10).AddBoth("B", "D", 15)
            .AddBoth("C", "D", 11).AddBoth("C", "F", 2).AddBoth("D", "E", 6).AddBoth("E", "F", 9).AddNode("Island");
        var found = roads.ShortestPath("A", "E");
        Assert.Equal(20, found?.Length);
        Assert.Equal(["A", "C", "F", "E"], found?.Path);
        Assert.Null(roads.ShortestPath("A", "Island"));
        Assert.Equal(2, roads.Components().Count);
        Assert.Throws<ArgumentOutOfRangeException>(() => roads.AddEdge("A", "B", -1));
    }

    [Fact]
    public void Orders_tasks()
    {
        var tasks = new Graph<string>().AddEdge("compile", "link").AddEdge("link", "test").AddEdge("fetch", "compile").AddEdge("fetch", "test");
        Assert.Equal(["fetch", "compile", "link", "test"], tasks.TopologicalOrder());
    }

    [Fact]
    public void Tells_the_cycle()
    {
        var graph = new Graph<int>().AddEdge(1, 2).AddEdge(2, 3).AddEdge(3, 2);
        var error = Assert.Throws<CycleException<int>>(graph.TopologicalOrder);
        Assert.Equal([2, 3, 2], error.Cycle);
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 80, MemberType = typeof(Seeds))]
    public void Shortest_paths_are_as_long_as_all_pairs_say(int seed)
    {
        const int nodes = 18;
        var (graph, lengths) = RandomGraph(new Chance(seed), nodes, 60);
        for (int k = 0; k < nodes; k++)
        {
            for (int i = 0; i < nodes; i++)
            {
                for (int j = 0; j < nodes; j++)
                {
                    lengths[i, j] = Math.Min(lengths[i, j], lengths[i, k] + lengths[k, j]);
                }
            }
        }

        for (int to = 0; to < nodes; to++)
        {
            Assert.Equal(lengths[0, to], graph.ShortestPath(0, to)?.Length ?? double.PositiveInfinity);
        }
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 80, MemberType = typeof(Seeds))]
    public void Breadth_first_reaches_what_has_a_path(int seed)
    {
        const int nodes = 25;
        var (graph, _) = RandomGraph(new Chance(seed), nodes, 30);
        var reached = graph.BreadthFirst(0).ToHashSet();
        Assert.All(graph.Nodes, n => Assert.Equal(reached.Contains(n), graph.ShortestPath(0, n) is not null));
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 80, MemberType = typeof(Seeds))]
    public void In_order_no_edge_leads_back(int seed)
    {
        var chance = new Chance(seed);
        var graph = new Graph<int>();
        var edges = Enumerable.Range(0, 80).Select(_ => (A: chance.Next(40), B: chance.Next(40))).Where(e => e.A < e.B).ToList();
        edges.ForEach(e => graph.AddEdge(e.B, e.A));
        var order = graph.TopologicalOrder();
        Assert.Equal(graph.Count, order.Count);
        Assert.All(edges, e => Assert.True(order.IndexOf(e.B) < order.IndexOf(e.A)));
    }

    private static (Graph<int> Graph, double[,] Lengths) RandomGraph(Chance chance, int nodes, int edges)
    {
        var graph = new Graph<int>();
        var lengths = new double[nodes, nodes];
        for (int i = 0; i < nodes; i++)
        {
            graph.AddNode(i);
            for (int j = 0; j < nodes; j++)
            {
                lengths[i, j] = i == j ? 0 : double.PositiveInfinity;
            }
        }

        for (int i = 0; i < edges; i++)
        {
            int from = chance.Next(nodes), to = chance.Next(nodes), length = chance.Between(1, 20);
            graph.AddEdge(from, to, length);
            lengths[from, to] = Math.Min(lengths[from, to], length);
        }

        return (graph, lengths);
    }
}
