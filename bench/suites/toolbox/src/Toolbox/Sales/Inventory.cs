namespace Toolbox.Sales;

public sealed class OutOfStockException(string product, int wanted, int available)
    : InvalidOperationException($"{wanted} of {product} wanted, {available} there")
{
    public string Product { get; } = product;
}

/// <summary>Stock with reservations: either all lines of an order are reserved or none.</summary>
public sealed class Inventory
{
    private readonly Dictionary<string, int> _stock = [];
    private readonly Dictionary<int, List<OrderLine>> _reservations = [];

    public event EventHandler<string>? RunningLow;

    public int LowMark { get; init; } = 5;

    public int this[string product] => _stock.GetValueOrDefault(product);

    public void Receive(string product, int quantity)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(quantity);
        _stock[product] = this[product] + quantity;
    }

    public void Reserve(Order order)
    {
        var taken = new List<OrderLine>();
        try
        {
            foreach (var line in order.Lines)
            {
                Take(line);
                taken.Add(line);
            }
        }
        catch (OutOfStockException)
        {
            foreach (var line in taken)
            {
                _stock[line.Product.Name] += line.Quantity;
            }

            throw;
        }

        _reservations.Add(order.Number, taken);
    }

    public bool TryReserve(Order order, out string? missing)
    {
        try
        {
            Reserve(order);
            missing = null;
            return true;
        }
        catch (OutOfStockException e)
        {
            missing = e.Product;
            return false;
        }
    }

    public bool Cancel(int orderNumber)
    {
        if (!_reservations.Remove(orderNumber, out var lines))
        {
            return false;
        }

        foreach (var line in lines)
        {
            _stock[line.Product.Name] += line.Quantity;
        }

        return true;
    }

    private void Take(OrderLine line)
    {
        string name = line.Product.Name;
        int available = this[name];
        if (available < line.Quantity)
        {
            throw new OutOfStockException(name, line.Quantity, available);
        }

        _stock[name] = available - line.Quantity;
        if (available >= LowMark && _stock[name] < LowMark)
        {
            RunningLow?.Invoke(this, name);
        }
    }
}
