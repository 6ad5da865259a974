namespace Pebble.Tests;

public class LoopTests
{
    [Theory]
    [InlineData(100, "25")]
    [InlineData(200000, "17984")]
    public void Sieve(int limit, string expected) => Assert.Equal(expected, Scripts.Run($$"""
        let composite = filled({{limit}} + 1, false);
        let count = 0;
        let i = 2;
        while i <= {{limit}} {
            if not composite[i] {
                count = count + 1;
                let k = i * i;
                while k <= {{limit}} { composite[k] = true; k = k + i; }
            }
            i = i + 1;
        }
        print(count);
        """));

    [Theory]
    [InlineData(27, "111")]
    [InlineData(97, "118")]
    public void Collatz(int start, string expected) => Assert.Equal(expected, Scripts.Run($$"""
        let n = {{start}};
        let steps = 0;
        while n != 1 {
            if n % 2 == 0 { n = n / 2; } else { n = 3 * n + 1; }
            steps = steps + 1;
        }
        print(steps);
        """));

    [Theory]
    [InlineData(1000, "871 178")]
    [InlineData(10000, "6171 261")]
    public void The_longest_Collatz_sequence(int limit, string expected) => Assert.Equal(expected, Scripts.Run($$"""
        let best = 0; let longest = 0; let start = 1;
        while start <= {{limit}} {
            let n = start; let steps = 0;
            while n != 1 {
                if n % 2 == 0 { n = n / 2; } else { n = 3 * n + 1; }
                steps = steps + 1;
            }
            if steps > longest { longest = steps; best = start; }
            start = start + 1;
        }
        print(best, longest);
        """));
}
