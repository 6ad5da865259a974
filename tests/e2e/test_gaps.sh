#!/bin/bash
# Lines between the first and the last of a statement: what is no text of it is no line of it. Without the source,
# columns show what stands in lambdas.
. "$(dirname "$0")/lib.sh"

# lines REPORT: number=hits of each line, once
lines() {
    sed -n 's/.*<line number="\([0-9]*\)" hits="\([0-9]*\)".*/\1=\2/p' "$1" | sort -nu | paste -sd' '
}

mkdir cs
cat >cs/Program.cs <<'CS'
using System;
static class Program
{
    static Action Kept(int a, Action<int> ran, Func<int> never, int b)
    { ran(a); return () => { never(); }; }
    static void Main()
    {
        Kept(
            1,

            // a comment of the call
            x =>
            {
                Console.Write(x);

                // a comment of the lambda
                Console.Write(x);
            },
            () =>
            {
                Console.Write(2);

                // never
                return 3;
            },
            4);
    }
}
CS
# Lines 18 and 25 have a comma of the call.
known='5=1 8=1 9=1 12=1 14=1 17=1 18=1 19=1 21=0 24=0 25=1 26=1'
for configuration in Debug Release; do
    compiled cs "$configuration"
    measure there --root cs -- dotnet "$program"
    same "$configuration: exit status" 0 "$status"
    same "$configuration: lines with text of a statement" "$known" "$(lines there.xml)"
    # The comments of the call are not known, nor what is not after a point: in Release, opening braces have none.
    unknown='10=1 11=1'
    if [ $configuration = Release ]; then
        unknown="$unknown 13=1 20=1"
    fi
    mv cs/Program.cs kept.cs
    measure missing --root cs -- dotnet "$program"
    mv kept.cs cs/Program.cs
    same "$configuration, without the source: exit status" 0 "$status"
    same "$configuration, without the source: lines of lambdas are theirs" \
        "$(tr ' ' '\n' <<<"$known $unknown" | sort -n | paste -sd' ')" "$(lines missing.xml)"
done

# --- #If of Visual Basic: it stands in lambdas, never in the middle of a statement ----------------------------------------
mkdir vb
cat >vb/vb.vbproj <<'XML'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework>
    <DefineConstants>Shown=True,Level=3,Kind="a,b"</DefineConstants>
  </PropertyGroup>
</Project>
XML
cat >vb/Program.vb <<'VB'
#Const Hidden = Level = 4
Module Program
    Sub Main()
        Dim f = Sub()
#If Not Hidden AndAlso Shown Then
                    System.Console.WriteLine("b")
#ElseIf Level > 2 Then
                    System.Console.WriteLine("c")
#Else
                    System.Console.WriteLine("d")
#End If
                End Sub
        f()
    End Sub
End Module
VB
made dotnet build vb --nologo --output built/vb
measure vb --root vb -- dotnet built/vb/vb.dll
same "Visual Basic: exit status" 0 "$status"
same "Visual Basic: inactive code is no line" '4=1 6=1 12=1 13=1' "$(lines vb.xml)"
finish
