namespace Greetings.Tests;

public class GreetingTests
{
    [Theory]
    [InlineData(3, "Good night, Ada!")]
    [InlineData(9, "Good morning, Ada!")]
    [InlineData(15, "Good afternoon, Ada!")]
    [InlineData(21, "Good evening, Ada!")]
    public void The_hour_decides(int hour, string expected) => Assert.Equal(expected, Greeting.For("Ada", new TimeOnly(hour, 0)));

    [Fact]
    public void Nobody_is_greeted_without_a_name() => Assert.Equal("Good morning!", Greeting.For(" ", new TimeOnly(8, 30)));
}
