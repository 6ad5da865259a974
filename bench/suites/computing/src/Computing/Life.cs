namespace Computing;

/// <summary>Conway's Game of Life on a torus.</summary>
public sealed class Life(int width, int height)
{
    private bool[] _cells = new bool[width * height];
    private bool[] _next = new bool[width * height];

    public bool this[int x, int y]
    {
        get => _cells[Index(x, y)];
        set => _cells[Index(x, y)] = value;
    }

    public int Population
    {
        get
        {
            int count = 0;
            foreach (bool cell in _cells)
            {
                count += cell ? 1 : 0;
            }

            return count;
        }
    }

    public void Step()
    {
        for (int y = 0; y < height; y++)
        {
            for (int x = 0; x < width; x++)
            {
                int neighbours = Neighbours(x, y);
                _next[Index(x, y)] = neighbours == 3 || (neighbours == 2 && this[x, y]);
            }
        }

        (_cells, _next) = (_next, _cells);
    }

    private int Neighbours(int x, int y)
    {
        int count = 0;
        for (int dy = -1; dy <= 1; dy++)
        {
            for (int dx = -1; dx <= 1; dx++)
            {
                if ((dx != 0 || dy != 0) && this[x + dx, y + dy])
                {
                    count++;
                }
            }
        }

        return count;
    }

    private int Index(int x, int y) => (((y + height) % height) * width) + ((x + width) % width);
}
