#!/usr/bin/env python3
"""What holds for the bench whatever it measures: its statistics, its rounds, its rows and tables. Without ilcov and .NET."""
import ast
import builtins
import glob
import math
import os
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.dont_write_bytecode = True
BENCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench")
sys.path.insert(0, BENCH)

import interval  # noqa: E402
import page  # noqa: E402
import place  # noqa: E402
import rounds  # noqa: E402
import table  # noqa: E402
from row import Row, geometric_mean  # noqa: E402

os.environ.pop("BENCH_RUNS", None)


def samples_of(**variants):
    """{("count", "cpu"): {0: …, 1: …}} of count=[…]; None is a round that the variant sat out."""
    return {(variant, "cpu"): {number: value for number, value in enumerate(values) if value is not None}
            for variant, values in variants.items()}


def row(variant="count", **options):
    return Row("group", "name", variant, ((variant, "cpu"), ("bare", "cpu")), **options)


class Statistics(unittest.TestCase):
    def test_the_median_of_an_even_number_lies_between_the_two_in_the_middle(self):
        self.assertEqual(interval.median([9, 1, 4]), 4)
        self.assertEqual(interval.median([9, 1, 4, 6]), 5)

    def test_the_interval_is_that_of_the_tables_of_the_sign_test(self):
        # n and the rank of the lower end at 95 %, as tables of the binomial distribution give it
        for count, rank in ((5, 0), (6, 1), (8, 1), (9, 2), (10, 2), (12, 3), (15, 4), (20, 6), (25, 8), (30, 10), (40, 14)):
            self.assertEqual(interval.rank(count), rank, count)

    def test_the_ends_of_the_interval_are_values_that_were_measured(self):
        values = [float(value) for value in range(20, 0, -1)]
        self.assertEqual(interval.interval(values), (6.0, 15.0))

    def test_fewer_than_six_values_have_no_interval(self):
        self.assertIsNone(interval.interval([1.0] * (interval.FEWEST - 1)))
        self.assertEqual(interval.half_width([1.0] * (interval.FEWEST - 1)), math.inf)
        self.assertEqual(interval.interval([1.0] * interval.FEWEST), (1.0, 1.0))

    def test_the_interval_encloses_the_median_as_often_as_it_says(self):
        # 2,000 samples of 11 from a skewed distribution whose median is log 2, by a generator of its own
        state, enclosed = 1, 0
        for _ in range(2000):
            values = []
            for _ in range(11):
                state = (state * 6364136223846793005 + 1442695040888963407) % 2 ** 64
                values.append(-math.log((state >> 11) / 2 ** 53 + 1e-18))
            low, high = interval.interval(values)
            enclosed += low <= math.log(2) <= high
        self.assertGreater(enclosed / 2000, 0.95)


class Rounds(unittest.TestCase):
    def record(self, rows, value, factor=1):
        """What ran in each round: [variant, …]."""
        ran, last = [], []

        def once(variant, names):
            if variant in last:
                ran.append(list(last))
                last.clear()
            last.append(variant)
            return {name: value(variant, len(ran)) for name in names}

        samples = rounds.measure("test", rows, once, factor)
        return [*ran, last], samples

    def test_each_round_runs_every_variant_and_none_is_always_first(self):
        ran, _ = self.record([row("count"), row("hit")], lambda variant, number: 1.0 if variant == "bare" else 2.0)
        self.assertEqual(len(ran), interval.FEWEST)
        for variants in ran:
            self.assertEqual(sorted(variants), ["bare", "count", "hit"])
        self.assertEqual({variants[0] for variants in ran}, {"bare", "count", "hit"})

    def test_what_is_sure_is_not_run_again(self):
        os.environ["BENCH_RUNS"] = "6/12"
        noise = {"count": lambda number: 2.0, "hit": lambda number: 1.0 + number % 2, "bare": lambda number: 1.0}
        ran, samples = self.record([row("count"), row("hit")], lambda variant, number: noise[variant](number))
        del os.environ["BENCH_RUNS"]
        self.assertEqual(len(samples["count", "cpu"]), 6)
        self.assertEqual(len(samples["hit", "cpu"]), 12)
        self.assertEqual(len(samples["bare", "cpu"]), 12)

    def test_rows_that_do_not_decide_start_no_round(self):
        _, samples = self.record([row("count", decides=False)], lambda variant, number: 1.0)
        self.assertEqual(samples, {})

    def test_limits_that_are_none_are_refused(self):
        for text in ("", "0", "7/6", "1/2/3", "many"):
            os.environ["BENCH_RUNS"] = text
            self.assertRaises(place.Failure, rounds.limits)
        os.environ["BENCH_RUNS"] = "3"
        self.assertEqual(rounds.limits(), (3, 3))
        del os.environ["BENCH_RUNS"]


class Rows(unittest.TestCase):
    def test_a_figure_comes_from_values_of_one_round(self):
        result = row().result(samples_of(bare=[1.0, 10.0, 100.0], count=[2.0, None, 300.0]))
        self.assertEqual((result["rounds"], result["figure"], result["least"], result["most"]), (2, 2.5, 2.0, 3.0))

    def test_the_figure_is_the_median_of_the_ratios_not_the_ratio_of_the_medians(self):
        result = row().result(samples_of(bare=[1.0, 2.0, 4.0], count=[3.0, 2.0, 4.0]))
        self.assertEqual((result["with"], result["base"], result["figure"]), (3.0, 2.0, 1.0))

    def test_growth_is_what_coverage_adds_at_twice_the_size_by_what_it_adds_at_the_size(self):
        grown = Row("group", "name", "count", (("count", "2"), ("bare", "2"), ("count", "1"), ("bare", "1")), kind="growth")
        samples = {("count", "2"): {0: 50.0}, ("bare", "2"): {0: 10.0}, ("count", "1"): {0: 27.0}, ("bare", "1"): {0: 7.0}}
        self.assertEqual(grown.result(samples)["figure"], 2.0)

    def test_a_difference_is_of_each_of_those_that_share_it(self):
        result = row(kind="difference", share=20).result(samples_of(bare=[10.0], count=[50.0]))
        self.assertEqual(result["figure"], 2.0)

    def test_a_difference_of_nothing_can_be_sure(self):
        self.assertTrue(row(kind="difference").is_sure(samples_of(bare=[5.0] * 6, count=[5.0] * 6)))

    def test_a_row_that_nothing_was_measured_for_has_no_result(self):
        self.assertIsNone(row().result(samples_of(bare=[1.0])))

    def test_a_geometric_mean_is_sure_when_all_are(self):
        results = [row().result(samples_of(bare=[1.0] * 6, count=[value] * 6)) for value in (2.0, 8.0)]
        mean = geometric_mean(results, "group", "mean", "count", 3.0)
        self.assertAlmostEqual(mean["figure"], 4.0)
        self.assertTrue(mean["sure"])
        results.append(row().result(samples_of(bare=[1.0], count=[2.0])))
        mean = geometric_mean(results, "group", "mean", "count", 3.0)
        self.assertFalse(mean["sure"])
        self.assertIsNone(mean["low"])


class Tables(unittest.TestCase):
    def test_a_table_says_which_bar_is_missed(self):
        made = row(bar=1.5).result(samples_of(bare=[1.0] * 6, count=[2.0] * 6))
        self.assertIn("1.50: missed", table.text([made]))
        made = row(bar=2.0).result(samples_of(bare=[1.0] * 6, count=[2.0] * 6))
        self.assertNotIn("missed", table.text([made]))

    def test_markdown_has_as_many_cells_in_each_row(self):
        made = [row().result(samples_of(bare=[1.0], count=[2.0])), row(kind="difference").result(samples_of(bare=[1.0], count=[1.0]))]
        counts = {line.count("|") for line in table.markdown(made).splitlines()}
        self.assertEqual(len(counts), 1)


class Page(unittest.TestCase):
    def results(self, others=0.0):
        made = [Row("suites: of <tests> & more", name, variant, ((variant, "cpu"), ("bare", "cpu")), bar=1.15).result(
            samples_of(**{"bare": [100.0] * 6, variant: [ratio * 100.0] * 6}))
            for name, ratios in (("tiny", (1.02, 1.3)), ("a < b & c", (0.98, 4.0))) for variant, ratio in zip(("count", "coverlet"), ratios)]
        about = {"ilcov": "ilcov 1.2.3", "sdk": "10.0.1", "processor": "Some", "processors": 2, "kernel": "6.1", "date": "2000-01-01",
                 "rounds": [6, 40], "peers": {"coverlet": "1.0", "microsoft": "2.0"}, "seconds": 1,
                 "meter": {"kind": "cgroup v2", "runs": 12, "disagreements": [], "others": others}}
        return {"version": 1, "groups": {"suites": about | {"rows": made}}}

    def test_each_row_is_on_the_page_and_those_that_miss_their_bar_are_listed_first(self):
        text = page.markdown(self.results())
        self.assertEqual(text.count("| tiny | count |"), 1)
        self.assertEqual(text.count("| tiny | coverlet |"), 2)
        self.assertIn("2 of 4 figures with a bar reach it", text)

    def test_the_page_says_what_it_was_measured_with(self):
        text = page.markdown(self.results())
        for part in ("ilcov 1.2.3", "coverlet.collector 1.0", "0 of 12 runs"):
            self.assertIn(part, text)

    def test_the_page_says_that_other_work_ran(self):
        self.assertIn("Other work", page.markdown(self.results(others=0.5)))
        self.assertNotIn("Other work", page.markdown(self.results(others=0.01)))

    def test_the_plot_is_xml_in_which_more_is_further_right(self):
        root = xml.etree.ElementTree.fromstring(page.picture(self.results()))
        dots = [float(dot.get("cx")) for dot in root.iter("{http://www.w3.org/2000/svg}circle")]
        # the legend's, then those of the two rows: 1.02 and 0.98
        self.assertEqual(len(dots), 3)
        self.assertGreater(dots[1], dots[2])
        self.assertIn("a < b & c", "".join(root.itertext()))

    def test_the_same_results_make_the_same_files(self):
        with tempfile.TemporaryDirectory() as folder:
            made = []
            for number in "12":
                paths = [os.path.join(folder, name + number) for name in ("page", "plot")]
                page.write(self.results(), *paths)
                for path in paths:
                    with open(path, encoding="utf-8") as file:
                        made.append(file.read())
            self.assertEqual(made[:2], made[2:])

    def test_there_is_no_page_of_nothing(self):
        self.assertRaises(place.Failure, page.write, {"version": 1, "groups": {}}, os.devnull, os.devnull)


class PublicSuites(unittest.TestCase):
    def test_a_suite_is_a_name_a_directory_and_a_command(self):
        from groups import public
        self.assertEqual(public.parse("a=/tmp:dotnet test --filter 'X=1&Y'"), ("a", "/tmp", ["dotnet", "test", "--filter", "X=1&Y"]))
        for text in ("a", "a=/tmp", "a=/tmp:", "=/tmp:b", "a=/nowhere-at-all:b"):
            self.assertRaises(place.Failure, public.parse, text)

    def test_the_suites_of_this_folder_are_named_by_a_word(self):
        from groups import public, suites
        names = [name for name, _, _ in public.listed(["suites", "loops", "a=/tmp:true"])]
        self.assertEqual(names, [*(suite.name for suite in suites.SUITES), "a"])

    def test_the_loops_are_one_suite_in_the_mean(self):
        from groups import loops, public
        one = [row("count").result(samples_of(bare=[1.0], count=[2.0])) | {"group": public.TITLE}]
        each = [row("count").result(samples_of(bare=[1.0], count=[value])) for value in (4.0, 16.0)]
        mean = geometric_mean(each, loops.TITLE, loops.MEAN, "count", None)
        self.assertAlmostEqual(next(public.means([*one, *public.as_suite([*each, mean])]))["figure"], 4.0)

    def test_a_collector_stands_before_the_settings_of_the_tests(self):
        import command
        run = command.under("coverlet", ["dotnet", "test", "--", "A.B=1"])
        self.assertLess(run.index("--collect"), run.index("--"))
        self.assertEqual(run[-2:], ["--", "A.B=1"])


class Earlier(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.program = os.path.join(self.folder.name, "ilcov")
        with open(self.program, "w", encoding="ascii") as file:
            os.chmod(file.fileno(), 0o755)
        self.name(None)

    def tearDown(self):
        self.name(None)
        self.folder.cleanup()

    def name(self, path):
        os.environ.pop("BASELINE", None)
        if path is not None:
            os.environ["BASELINE"] = path
        place.baseline.cache_clear()

    def test_each_variant_is_measured_by_both(self):
        import command
        self.assertEqual(command.and_earlier(["count", "hit"]), ["count", "hit"])
        self.name(self.program)
        self.assertEqual(command.and_earlier(["count", "hit"]), ["count", "hit", "count, earlier", "hit, earlier"])
        for variant, options in (("count", []), ("count, per test", ["--per-test"])):
            now, earlier = (command.under(name, ["a"]) for name in (variant, variant + command.EARLIER))
            self.assertEqual((now[0], earlier[0], now[1:]), (place.ILCOV, self.program, earlier[1:]))
            self.assertEqual([word for word in now if word == "--per-test"], options)

    def test_it_is_a_program_or_its_folder_or_a_revision(self):
        for path in (self.program, self.folder.name):
            self.name(path)
            self.assertEqual(place.baseline(), self.program)
        self.name("no-such-revision-or-file")
        self.assertRaises(place.Failure, place.baseline)

    def test_both_are_put_side_by_side_in_the_same_rounds(self):
        from groups import earlier
        self.assertEqual(earlier.rows("group", "name", ["count"]), [])
        self.name(self.program)
        result, = (row.result(samples_of(**{"count": [3.0, 4.0], "count, earlier": [2.0, None]})) for row in earlier.rows(
            "group", "name", ["count"]))
        self.assertEqual((result["rounds"], result["figure"], result["reference"]), (1, 1.5, "earlier"))


class Sources(unittest.TestCase):
    def test_each_name_that_a_module_uses_is_known_there_and_each_import_is_used(self):
        # Most of a group runs only while it measures, which no test does.
        for path in glob.glob(os.path.join(BENCH, "**", "*.py"), recursive=True):
            with open(path, encoding="utf-8") as file:
                nodes = list(ast.walk(ast.parse(file.read())))
            imported = {(name.asname or name.name).split(".")[0] for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))
                        for name in node.names}
            names = [node for node in nodes if isinstance(node, ast.Name)]
            used = {node.id for node in names if isinstance(node.ctx, ast.Load)}
            known = {node.id for node in names if isinstance(node.ctx, ast.Store)}
            known |= {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler))}
            known |= {node.arg for node in nodes if isinstance(node, ast.arg)} | set(dir(builtins)) | {"__file__"}
            self.assertEqual(used - known - imported, set(), path)
            self.assertEqual(imported - used, set(), path)


if __name__ == "__main__":
    # The last line is what tests/check.sh adds up.
    result = unittest.main(exit=False, verbosity=0).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(failed != 0)
