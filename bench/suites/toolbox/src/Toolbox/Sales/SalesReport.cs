using Toolbox.Text;
using Toolbox.Time;

namespace Toolbox.Sales;

/// <summary>Questions about orders, as queries.</summary>
public sealed class SalesReport(IReadOnlyCollection<Order> orders)
{
    public decimal Total => orders.Sum(o => o.Total);

    public Dictionary<Category, decimal> ByCategory()
    {
        return orders
            .SelectMany(o => o.Lines)
            .GroupBy(l => l.Product.Category)
            .ToDictionary(g => g.Key, g => g.Sum(l => l.Amount));
    }

    public List<(string Customer, int Orders, decimal Total)> BestCustomers(int most)
    {
        var query = from order in orders
                    group order by order.Customer into own
                    let total = own.Sum(o => o.Total)
                    orderby total descending, own.Key
                    select (own.Key, own.Count(), total);
        return query.Take(most).ToList();
    }

    public decimal[] ByMonth(int year)
    {
        var months = new decimal[12];
        foreach (var order in orders.Where(o => o.Date.Year == year))
        {
            months[order.Date.Month - 1] += order.Total;
        }

        return months;
    }

    public IEnumerable<(string A, string B, int Times)> BoughtTogether()
    {
        return orders
            .SelectMany(o => Pairs(o.Lines.Select(l => l.Product.Name).Distinct().Order(StringComparer.Ordinal).ToList()))
            .GroupBy(p => p)
            .Select(g => (g.Key.A, g.Key.B, g.Count()))
            .OrderByDescending(p => p.Item3)
            .ThenBy(p => p.A, StringComparer.Ordinal)
            .ThenBy(p => p.B, StringComparer.Ordinal);
    }

    public decimal Discount(Order order) => order switch
    {
        { Total: > 1000 } => order.Total * 0.10m,
        { Lines.Count: >= 4, Total: > 200 } => order.Total * 0.05m,
        { Date: { Month: 12, Day: <= 24 } } => 5,
        { Date.IsWeekend: true } when order.Lines.Any(l => l.Product.Category == Category.Toys) => 2,
        _ => 0,
    };

    public (Date First, Date Last)? Span() => orders.Count == 0 ? null : (orders.Min(o => o.Date), orders.Max(o => o.Date));

    public string ToTable()
    {
        var table = new TextTable("Customer", "Orders", "Total", "Share");
        foreach (var (customer, count, total) in BestCustomers(int.MaxValue))
        {
            table.Add(customer, count, total, (double)(100 * total / Total));
        }

        return table.ToString();
    }

    private static IEnumerable<(string A, string B)> Pairs(List<string> names)
    {
        for (int i = 0; i < names.Count; i++)
        {
            for (int j = i + 1; j < names.Count; j++)
            {
                yield return (names[i], names[j]);
            }
        }
    }
}
