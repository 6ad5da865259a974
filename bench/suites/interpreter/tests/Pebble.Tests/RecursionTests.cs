namespace Pebble.Tests;

public class RecursionTests
{
    [Theory]
    [InlineData(10, "55")]
    [InlineData(24, "46368")]
    [InlineData(26, "121393")]
    public void Fibonacci(int n, string expected) => Assert.Equal(expected, Scripts.Run($$"""
        fn fib(n) { if n < 2 { return n; } return fib(n - 1) + fib(n - 2); }
        print(fib({{n}}));
        """));

    [Theory]
    [InlineData(2, 3, "9")]
    [InlineData(2, 8, "19")]
    [InlineData(2, 60, "123")]
    public void Ackermann(int m, int n, string expected) => Assert.Equal(expected, Scripts.Run($$"""
        fn ack(m, n) {
            if m == 0 { return n + 1; }
            if n == 0 { return ack(m - 1, 1); }
            return ack(m - 1, ack(m, n - 1));
        }
        print(ack({{m}}, {{n}}));
        """));

    [Theory]
    [InlineData(5, "31")]
    [InlineData(16, "65535")]
    public void Hanoi(int disks, string expected) => Assert.Equal(expected, Scripts.Run($$"""
        let moves = 0;
        fn move(n, from, to, over) {
            if n == 0 { return nil; }
            move(n - 1, from, over, to);
            moves = moves + 1;
            move(n - 1, over, to, from);
        }
        move({{disks}}, "a", "b", "c");
        print(moves);
        """));

    [Fact]
    public void Endless_calls_are_stopped() =>
        Assert.Throws<ScriptException>(() => Scripts.Run("fn f(n) { return f(n + 1); } f(0);"));
}
