#!/bin/bash
# Functions that the F# compiler put where they are called, in an optimised build: nobody can see them run. They are neither covered nor
# missed if a statement that ran names them and nothing calls them any more; one line counts them, -v names them.
. "$(dirname "$0")/lib.sh"

mkdir Lib App
cat >Lib/Lib.fsproj <<'XML'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
  <ItemGroup><Compile Include="Lib.fs" /></ItemGroup>
</Project>
XML
cat >App/App.fsproj <<'XML'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework><OutputType>Exe</OutputType></PropertyGroup>
  <ItemGroup><Compile Include="App.fs" /><ProjectReference Include="../Lib/Lib.fsproj" /></ItemGroup>
</Project>
XML
# What is right stands behind each function: is it inlined, missed, or does it run?
cat >Lib/Lib.fs <<'FS'
namespace Lib
open System.Runtime.CompilerServices
module Small =
    let add a b = a + b                      // inlined
    let inner x = x + x                      // inlined: what names it is
    let outer x = inner x + 1                // inlined
    let (+.) a b = a * 10 + b                // inlined
    let half x = x / 2                       // inlined
    let hole x = x + 9                       // inlined
    let never x = x * 7                      // missed: Other.never is another one
    let untaken x = x * 5                    // missed: nothing that ran names it
    let commented x = x * 3                  // missed
    let listed x = x + 4                     // runs: it is a value
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    let called x = x + 1                     // missed: a call is left
module Other =
    let never x = x * 9                      // inlined
    let calls () = never 1                   // inlined
type Vector(x: int) =                        // runs
    member _.X = x                           // runs: no other assembly sees the field
    member v.Unused = v.X * 4                // missed
    static member Zero = 0                   // inlined
type Maybe() =                               // runs
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    member _.Bind(value, rest) = Option.bind rest value  // runs
    member _.Return value = Some value       // inlined
module Builders =
    let maybe = Maybe()                      // runs
FS
cat >App/App.fs <<'FS'
module App
open Lib
open Lib.Small
[<EntryPoint>]
let main argv =
    let sum = add 1 2 + outer 3 + (1 +. 2) + Small.half 4
    printfn $"{hole 1}"
    if argv.Length > 0 then printfn "%d" (untaken 3 + called 2)
    printfn "%A" (List.map listed [ 1 ])
    let v = Vector 3
    printfn "%d" (sum + Other.calls () + v.X + Vector.Zero)
    // commented 1
    printfn "commented %A" (Builders.maybe { let! x = Some 1 in return x })
    0
FS
made dotnet build App --configuration Release --nologo

# said KIND: the lines of Lib.fs of which it says that.
said() {
    grep -n "// $1" Lib/Lib.fs | cut -d: -f1 | tr '\n' ' '
}
# reported WHICH OPTION...: the lines of Lib.fs that the report has with hits, or without.
reported() {
    local which=$1
    shift
    limited "$ILCOV" report -q -f json=- "$@" run.ilcov 2>report.err | python3 -S -c '
import json, sys
lines = {}
for package in json.load(sys.stdin)["packages"]:
    for c in package["classes"]:
        for line in c["lines"] if c["file"] == "Lib/Lib.fs" else []:
            lines[line["number"]] = line["hits"]
print(*sorted(n for n in lines if (lines[n] == 0) == (sys.argv[1] == "missed")), end=" ")' "$which"
}

measure run -v --root . -- dotnet App/bin/Release/net10.0/App.dll
inlined=$(said inlined | wc -w)
same "what ran is covered" "$(said runs)" "$(reported hit)"
same "what did not is missed" "$(said missed)" "$(reported missed)"
check "one line counts what is inlined" grep -qxF \
    "ilcov: $inlined functions ($inlined lines) were inlined by the F# compiler, and are not counted; -v lists them, --inlined missed counts them as not covered" run.err
same "-v names it" "$inlined" "$(grep -c '^ilcov: left out: Lib: .*: inlined by the F# compiler$' run.err)"
check "... by its name" grep -qxF 'ilcov: left out: Lib: Lib.Small.add(int, int): inlined by the F# compiler' run.err
same "--inlined missed: it is missed" "$( (said missed; said inlined) | tr ' ' '\n' | sort -n | xargs) " "$(reported missed --inlined missed)"
limited "$ILCOV" show -d run.ilcov Lib/Lib.fs >shown 2>&1
check "show tells it from what is missed" grep -qE '^ +4 +x .*let add' shown
finish
