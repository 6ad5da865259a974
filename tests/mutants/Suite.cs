// Suite.cs - runs the whole suite of an output folder in a worker process, with a time limit.
using System.Diagnostics;

namespace Mutants;

/// What a run of the suite showed. A test that hangs, or that runs when the process ends, has failed. `Unknown`: something failed
/// that belongs to no test.
sealed record Outcome(HashSet<string> Passed, Dictionary<string, string> Failed, string? Unknown, TimeSpan Took)
{
    public bool Killed => Failed.Count > 0 || Unknown != null;
}

sealed class Suite(string tests, HashSet<string> anew) : IDisposable
{
    const int RunsOfOneProcess = 30; // what is loaded is given back late

    Process? _worker;
    int _runs;

    public Outcome Run(string folder, TimeSpan limit, bool fresh = false)
    {
        if (_worker == null || fresh || _runs >= RunsOfOneProcess)
            Start();
        _runs++;
        var worker = _worker!;
        var (passed, failed) = (new HashSet<string>(), new Dictionary<string, string>());
        string? running = null, unknown = null;
        bool done = false;
        var watch = Stopwatch.StartNew();
        using (new Timer(_ => Kill(worker), null, limit, Timeout.InfiniteTimeSpan))
        {
            try
            {
                worker.StandardInput.WriteLine($"{folder}|{tests}|{string.Join(',', anew)}");
                worker.StandardInput.Flush();
            }
            catch (IOException) { }
            while (!done && worker.StandardOutput.ReadLine() is { } line)
            {
                var space = line.IndexOf(' ');
                var (what, rest) = space < 0 ? (line, "") : (line[..space], line[(space + 1)..]);
                switch (what)
                {
                    case "done": done = true; break;
                    case "start": running = rest; break;
                    case "pass": passed.Add(rest); running = null; break;
                    case "skip": running = null; break;
                    case "fail": failed[rest.Split('|')[0]] = rest.Split('|')[1]; running = null; break;
                    case "error": unknown = rest; break;
                }
            }
        }
        if (!done)
        {
            var how = watch.Elapsed >= limit ? "hangs" : "ended the process";
            if (running != null)
                failed[running] = how;
            else
                unknown ??= how;
            Stop();
        }
        passed.ExceptWith(failed.Keys);
        return new Outcome(passed, failed, unknown, watch.Elapsed);
    }

    void Start()
    {
        Stop();
        var start = new ProcessStartInfo(Environment.ProcessPath!) { RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true };
        start.ArgumentList.Add("worker");
        start.Environment["DOTNET_TieredPGO"] = "0";
        start.Environment["DOTNET_DbgEnableMiniDump"] = "0";
        _worker = Process.Start(start)!;
        _worker.ErrorDataReceived += (_, _) => { }; // a stack overflow is long
        _worker.BeginErrorReadLine();
        _runs = 0;
    }

    static void Kill(Process process)
    {
        try
        {
            process.Kill();
        }
        catch (InvalidOperationException) { } // it has ended
    }

    void Stop()
    {
        if (_worker == null)
            return;
        Kill(_worker);
        _worker.WaitForExit();
        _worker.Dispose();
        _worker = null;
    }

    public void Dispose() => Stop();
}
