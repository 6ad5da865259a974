using Toolbox.Sales;
using Toolbox.Time;

namespace Toolbox.Tests;

public class SalesTests
{
    [Theory]
    [MemberData(nameof(Seeds.UpTo), 120, MemberType = typeof(Seeds))]
    public void All_views_have_the_same_total(int seed)
    {
        var report = new SalesReport(SampleOrders.Make(seed, 60));
        Assert.Equal(report.Total, report.ByCategory().Values.Sum());
        Assert.Equal(report.Total, report.ByMonth(2024).Sum());
        Assert.Equal(report.Total, report.BestCustomers(100).Sum(c => c.Total));
        Assert.Equal(0, report.ByMonth(1999).Sum());
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 100, MemberType = typeof(Seeds))]
    public void The_best_come_first(int seed)
    {
        var orders = SampleOrders.Make(seed, 80);
        var report = new SalesReport(orders);
        var best = report.BestCustomers(3);
        Assert.Equal(best.OrderByDescending(c => c.Total), best);
        var pairs = report.BoughtTogether().ToList();
        Assert.All(pairs, p => Assert.True(string.CompareOrdinal(p.A, p.B) < 0));
        Assert.Equal(pairs.Max(p => p.Times), pairs[0].Times);
        Assert.All(orders, o => Assert.InRange(report.Discount(o), 0, Math.Max(5, o.Total / 4)));
        Assert.Contains(best[0].Customer, report.ToTable());
        Assert.Equal(2024, report.Span()?.First.Year);
    }

    [Fact]
    public void Nothing_sold_has_no_span()
    {
        Assert.Null(new SalesReport([]).Span());
        Assert.Equal(0, new SalesReport([]).Total);
    }

    [Theory]
    [InlineData(2024, 12, 24, 1, 10, 5)]
    [InlineData(2024, 12, 27, 1, 10, 0)]
    [InlineData(2024, 6, 8, 1, 10, 2)]
    [InlineData(2024, 6, 10, 1, 10, 0)]
    [InlineData(2024, 6, 10, 4, 60, 12)]
    [InlineData(2024, 6, 10, 1, 2000, 200)]
    public void Gives_discounts(int year, int month, int day, int lines, decimal price, decimal expected)
    {
        var toy = new Product("Toy", Category.Toys, price);
        var order = new Order(1, "Ada", new Date(year, month, day), Enumerable.Repeat(new OrderLine(toy, 1), lines).ToList());
        Assert.Equal(expected, new SalesReport([order]).Discount(order));
    }

    [Theory]
    [MemberData(nameof(Seeds.UpTo), 100, MemberType = typeof(Seeds))]
    public void Stock_is_neither_lost_nor_made(int seed)
    {
        var chance = new Chance(seed);
        var orders = SampleOrders.Make(seed, 40);
        var names = orders.SelectMany(o => o.Lines).Select(l => l.Product.Name).Distinct().ToList();
        var inventory = new Inventory { LowMark = 3 };
        int low = 0;
        inventory.RunningLow += (_, _) => low++;
        names.ForEach(n => inventory.Receive(n, 30));
        var reserved = new List<Order>();
        foreach (var order in orders)
        {
            if (inventory.TryReserve(order, out string? missing))
            {
                reserved.Add(order);
            }
            else
            {
                Assert.Contains(missing, order.Lines.Select(l => l.Product.Name));
            }

            if (reserved.Count > 0 && chance.Next(4) == 0)
            {
                Assert.True(inventory.Cancel(reserved[0].Number));
                reserved.RemoveAt(0);
            }
        }

        foreach (string name in names)
        {
            int held = reserved.SelectMany(o => o.Lines).Where(l => l.Product.Name == name).Sum(l => l.Quantity);
            Assert.Equal(30, inventory[name] + held);
        }

        Assert.False(inventory.Cancel(-1));
        Assert.True(low >= 0);
    }
}
