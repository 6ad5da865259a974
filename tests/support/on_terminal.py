"""Runs a command on a terminal of its own and says what of it was progress.

    on_terminal.py COLUMNS COMMAND...

Standard error is a terminal COLUMNS wide; standard output goes where ours goes, or there too with --both. Prints one line for
each that was drawn and rewritten, "progress: ilcov: reading methods: 0 of 9", and "text: ..." for each that stayed. What is
wrong is one of "wrong: ...": a progress line that is as wide as the terminal, or one that still stood when something else was
printed, or at the end."""

import fcntl
import os
import pty
import struct
import sys
import termios


def run(columns, command, both):
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    pid = os.fork()
    if pid == 0:
        os.dup2(its, 2)
        if both:
            os.dup2(its, 1)
        os.close(its)
        os.close(ours)
        os.execvp(command[0], command)
    os.close(its)
    pieces = []
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the last one has closed it
            break
        if not piece:
            break
        pieces.append(piece)
    _, status = os.waitpid(pid, 0)
    return b"".join(pieces).decode(errors="replace"), os.waitstatus_to_exitcode(status)


def main():
    arguments = sys.argv[1:]
    both = arguments[0] == "--both"
    columns = int(arguments[both])
    output, status = run(columns, arguments[both + 1 :], both)
    stands = 0  # columns of the progress line
    # "\r\n" ends a line; a single "\r" goes back to its start.
    for line in output.replace("\r\n", "\n").split("\n"):
        *drawn, text = line.split("\r")
        for progress in drawn:
            if len(progress) >= columns:
                print(f"wrong: too wide: {progress!r}")
            if len(progress) < stands:
                print(f"wrong: a rest of the line before is left of {progress!r}")
            stands = len(progress.rstrip())
            if progress.strip():
                print(f"progress: {progress.rstrip()}")
        if text:
            if stands:
                print(f"wrong: {text!r} is printed over the progress")
            print(f"text: {text}")
    if stands:
        print("wrong: the progress is left at the end")
    sys.exit(status)


main()
