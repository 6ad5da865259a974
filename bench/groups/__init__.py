"""What `bench.py` measures, a group a file. A group has TITLE, one line for its table, and measure(meter), which returns results
as Row.result makes them."""
