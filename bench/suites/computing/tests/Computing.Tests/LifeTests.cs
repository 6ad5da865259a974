namespace Computing.Tests;

public class LifeTests
{
    [Fact]
    public void A_block_stays()
    {
        var life = Filled(6, 6, (2, 2), (2, 3), (3, 2), (3, 3));
        life.Step();
        Assert.Equal(4, life.Population);
        Assert.True(life[2, 2] && life[3, 3]);
    }

    [Fact]
    public void A_glider_comes_back_around_a_torus()
    {
        const int size = 160;
        var life = Filled(size, size, (1, 0), (2, 1), (0, 2), (1, 2), (2, 2));
        for (int i = 0; i < 4 * size; i++)
        {
            life.Step();
            Assert.Equal(5, life.Population);
        }

        Assert.True(life[1, 0] && life[2, 1] && life[0, 2] && life[1, 2] && life[2, 2]);
    }

    [Fact]
    public void Few_cells_die()
    {
        var life = Filled(200, 200, (5, 5), (100, 100));
        for (int i = 0; i < 10; i++)
        {
            life.Step();
        }

        Assert.Equal(0, life.Population);
    }

    private static Life Filled(int width, int height, params (int X, int Y)[] cells)
    {
        var life = new Life(width, height);
        foreach (var (x, y) in cells)
        {
            life[x, y] = true;
        }

        return life;
    }
}
