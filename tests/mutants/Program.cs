// Program.cs - mutants: does `ilcov affected` select the tests that see a change? run.sh says how its parts work together.
using Mutants;

switch (args)
{
    case ["worker"]: return await Worker.Run();
    case ["generate", var seed, var topics, var folder]: Generator.Write(int.Parse(seed), int.Parse(topics), folder); return 0;
    case ["base", var arguments, var output, var into]:
        var solution = Solution.Load(arguments);
        Solution.Write(output, into, solution.Projects.Select(p => KeyValuePair.Create(p.Name, p.Image)));
        return 0;
    case ["campaign", .. var rest]: return new Campaign(Options.Parse(rest)).Run();
    case ["table", .. var files]: return Table.Print(files);
    default:
        Console.Error.WriteLine("usage: mutants generate SEED TOPICS FOLDER | base ARGUMENTS OUTPUT INTO | campaign OPTION... | table FILE...");
        return 2;
}
