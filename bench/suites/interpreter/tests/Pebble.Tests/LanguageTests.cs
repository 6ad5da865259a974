namespace Pebble.Tests;

public class LanguageTests
{
    [Theory]
    [InlineData("print(1 + 2 * 3);", "7")]
    [InlineData("print((1 + 2) * 3);", "9")]
    [InlineData("print(-2 * -3 % 4);", "2")]
    [InlineData("print(\"a\" + 1 + true + nil);", "a1truenil")]
    [InlineData("print(1 < 2 and 2 < 1, 1 < 2 or nil);", "false true")]
    [InlineData("print(not nil, not 0);", "true false")]
    [InlineData("print([1, [2, \"x\"]], length([]));", "[1, [2, x]] 0")]
    [InlineData("let a = [1, 2]; a[0] = a[1] = 5; print(a);", "[5, 5]")]
    [InlineData("print(\"tab\\tend\"); # a comment", "tab\tend")]
    [InlineData("let x = 1; { let x = 2; } print(x);", "1")]
    [InlineData("print(fn(x) { return x * x; }(12));", "144")]
    public void What_scripts_print(string script, string expected) => Assert.Equal(expected, Scripts.Run(script));

    [Theory]
    [InlineData("print(1", 1)]
    [InlineData("let a =\n;", 2)]
    [InlineData("\n\nprint(b);", 3)]
    [InlineData("1 = 2;", 1)]
    [InlineData("print(1 / 0);", 1)]
    [InlineData("print(\"a\" - 1);", 1)]
    [InlineData("let a = 1;\na();", 2)]
    [InlineData("print(\"open", 1)]
    [InlineData("let s = 1 $ 2;", 1)]
    [InlineData("fn f(a) { return a; } f(1, 2);", 1)]
    public void What_is_wrong_has_a_line(string script, int line) =>
        Assert.Equal(line, Assert.Throws<ScriptException>(() => Scripts.Run(script)).Line);

    [Fact]
    public void Closures_keep_their_variables() => Assert.Equal("1 2 1", Scripts.Run("""
        fn counter() { let n = 0; return fn() { n = n + 1; return n; }; }
        let a = counter(); let b = counter();
        print(a(), a(), b());
        """));

    [Fact]
    public void Functions_of_functions() => Assert.Equal("600000", Scripts.Run("""
        fn compose(f, g) { return fn(x) { return f(g(x)); }; }
        fn add(n) { return fn(x) { return x + n; }; }
        let both = compose(add(1), add(2)); let sum = 0; let i = 0;
        while i < 200000 { sum = both(sum); i = i + 1; }
        print(sum);
        """));

    [Fact]
    public void Words_are_counted() => Assert.Equal("14000", Scripts.Run("""
        fn words(text) {
            let count = 0; let inside = false; let i = 0;
            while i < length(text) {
                if text[i] == " " { inside = false; }
                else if not inside { inside = true; count = count + 1; }
                i = i + 1;
            }
            return count;
        }
        let i = 0; let all = 0;
        while i < 2000 { all = all + words("the quick  brown fox jumps over it"); i = i + 1; }
        print(all);
        """));
}
