using Toolbox.Time;

namespace Toolbox.Sales;

public enum Category
{
    Books,
    Music,
    Tools,
    Toys,
}

public sealed record Product(string Name, Category Category, decimal Price);

public sealed record OrderLine(Product Product, int Quantity)
{
    public decimal Amount => Product.Price * Quantity;
}

public sealed record Order(int Number, string Customer, Date Date, IReadOnlyList<OrderLine> Lines)
{
    public decimal Total => Lines.Sum(l => l.Amount);
}

/// <summary>Orders made from a number: the same number, the same orders.</summary>
public static class SampleOrders
{
    private static readonly string[] s_customers = ["Ada", "Blaise", "Carl", "Emmy", "Grace", "Kurt", "Sofia"];

    private static readonly Product[] s_products =
    [
        new("Atlas", Category.Books, 39.90m),
        new("Novel", Category.Books, 12.50m),
        new("Sonatas", Category.Music, 18.00m),
        new("Drum", Category.Music, 149.00m),
        new("Hammer", Category.Tools, 24.95m),
        new("Saw", Category.Tools, 31.20m),
        new("Kite", Category.Toys, 9.99m),
        new("Train", Category.Toys, 79.00m),
    ];

    public static List<Order> Make(int seed, int count)
    {
        uint state = (uint)seed * 2_654_435_761u + 1;
        int Next(int below)
        {
            state = (state * 1_664_525) + 1_013_904_223;
            return (int)((state >> 8) % (uint)below);
        }

        var first = new Date(2024, 1, 1);
        var orders = new List<Order>(count);
        for (int i = 0; i < count; i++)
        {
            var lines = Enumerable.Range(0, 1 + Next(4)).Select(_ => new OrderLine(s_products[Next(s_products.Length)], 1 + Next(5)));
            orders.Add(new Order(i + 1, s_customers[Next(s_customers.Length)], first.AddDays(Next(366)), lines.ToList()));
        }

        return orders;
    }
}
