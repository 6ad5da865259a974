namespace Pebble.Tests;

public class ListTests
{
    private const string Numbers = """
        let list = []; let state = 7;
        fn next() { state = (state * 1103 + 12345) % 65536; return state; }
        fn is_sorted(list) {
            let i = 1;
            while i < length(list) { if list[i - 1] > list[i] { return false; } i = i + 1; }
            return true;
        }

        """;

    [Fact]
    public void Insertion_sort() => Assert.Equal("true", Scripts.Run(Numbers + """
        while length(list) < 200 { push(list, next()); }
        let i = 1;
        while i < length(list) {
            let item = list[i]; let k = i - 1;
            while k >= 0 and list[k] > item { list[k + 1] = list[k]; k = k - 1; }
            list[k + 1] = item;
            i = i + 1;
        }
        print(is_sorted(list));
        """));

    [Fact]
    public void Quicksort() => Assert.Equal("true 20000", Scripts.Run(Numbers + """
        while length(list) < 20000 { push(list, next()); }
        fn sort(list) {
            if length(list) < 2 { return list; }
            let less = []; let same = []; let more = []; let i = 0; let pivot = list[floor(length(list) / 2)];
            while i < length(list) {
                if list[i] < pivot { push(less, list[i]); }
                else if list[i] > pivot { push(more, list[i]); }
                else { push(same, list[i]); }
                i = i + 1;
            }
            let sorted = sort(less); i = 0;
            while i < length(same) { push(sorted, same[i]); i = i + 1; }
            let rest = sort(more); i = 0;
            while i < length(rest) { push(sorted, rest[i]); i = i + 1; }
            return sorted;
        }
        let sorted = sort(list);
        print(is_sorted(sorted), length(sorted));
        """));

    [Theory]
    [InlineData(5, "10")]
    [InlineData(6, "4")]
    [InlineData(8, "92")]
    public void Queens(int size, string expected) => Assert.Equal(expected, Scripts.Run($$"""
        let columns = [];
        fn is_safe(row, column) {
            let i = 0;
            while i < row {
                let other = columns[i];
                if other == column or other - column == row - i or column - other == row - i { return false; }
                i = i + 1;
            }
            return true;
        }
        fn place(row) {
            if row == {{size}} { return 1; }
            let found = 0; let column = 0;
            while column < {{size}} {
                if is_safe(row, column) { columns[row] = column; found = found + place(row + 1); }
                column = column + 1;
            }
            return found;
        }
        columns = filled({{size}}, 0);
        print(place(0));
        """));

    [Fact]
    public void An_element_that_is_not_there() => Assert.Throws<ScriptException>(() => Scripts.Run("let a = [1]; print(a[1]);"));
}
