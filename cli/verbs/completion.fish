# fish completion for ilcov(1); made by 'ilcov completion fish'
function __ilcov
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program (string replace -r '^~' ~ -- $words[1])
    command -q $program
    or return
    set -l found (command $program __complete $words[2..-1] "$current" 2>/dev/null)
    set -l end (string split ' ' -- $found[-1])
    set found $found[1..-2]
    if test $end[1] = command
        set -l line (string escape -- $words[(math $end[2] + 1)..-1]) "$current"
        complete "-C$line"
        return
    end
    set -l before (string sub -l $end[2] -- "$current")
    set -l rest (string sub -s (math $end[2] + 1) -- "$current")
    switch $end[1]
        case files
            set -a found (__fish_complete_path "$rest")
        case folders
            set -a found (__fish_complete_directories "$rest")
    end
    string join \n -- "$before"$found
end
complete -c ilcov -f -a '(__ilcov)'
