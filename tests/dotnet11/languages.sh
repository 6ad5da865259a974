#!/bin/bash
# languages.sh - on .NET 11: C# 15, compiled by Roslyn as a library, because no SDK at hand has that, and F# with FSharp.Core 11 and the
# compiler of SDK 10. Their lines are those that the sources say, of C# 15 in Debug.
. "$(dirname "$0")/../e2e/lib.sh"

here=$top/tests/dotnet11
on_dotnet_11 || finish
made dotnet build "$here/compiler" --nologo --artifacts-path "$temp/compiler"
references=$(ls -d "$DOTNET_ROOT"/packs/Microsoft.NETCore.App.Ref/11.*/ref/net11.0)
for configuration in Debug Release; do
    mkdir $configuration
    made "$temp/compiler/bin/compiler/debug/compiler" $configuration/csharp15.dll "$(lower $configuration)" "$references" "$here/csharp15/Program.cs"
    printf '{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"11.0.0"}}}\n' >$configuration/csharp15.runtimeconfig.json
    limited dotnet "$configuration/csharp15.dll" >bare.out
    for mode in count hit exact; do
        options=(--configuration "$configuration")
        [ $mode != hit ] || options+=(--hit-only)
        measure csharp15 --mode $mode --root "$here/csharp15" -- dotnet "$configuration/csharp15.dll"
        same "C# 15, $configuration, $mode: exit status" 0 "$status"
        check "C# 15, $configuration, $mode: it prints what it prints without" diff bare.out csharp15.out
        [ $configuration = Release ] || expected "C# 15, $configuration, $mode: every line as written" csharp15.xml "$here/csharp15" "${options[@]}"
    done

    made dotnet build "$top/fixtures/fsharp" --configuration $configuration -p:FSharpCoreImplicitPackageVersion=11.0.101 --nologo \
        --artifacts-path "$temp/fsharp"
    measure fsharp --root "$top/fixtures/fsharp" -- "$temp/fsharp/bin/fsharp/$(lower $configuration)/fsharp"
    same "FSharp.Core 11, $configuration: exit status" 0 "$status"
    expected "FSharp.Core 11, $configuration: every line as written" fsharp.xml "$top/fixtures/fsharp" --configuration $configuration
done
finish
