# bash completion for ilcov(1); made by 'ilcov completion bash'
_ilcov()
{
    local -a words=() starts=() found=() end=()
    local i word breaks=${COMP_WORDBREAKS//[!=:]/}
    # bash makes '=' and ':' words of their own: join them again
    for ((i = 1; i <= COMP_CWORD; i++)); do
        if ((i > 1)) && [[ ${COMP_WORDS[i]} == [=:]* || ${COMP_WORDS[i - 1]} == [=:] ]]; then
            words[-1]+=${COMP_WORDS[i]}
        else
            words+=("${COMP_WORDS[i]}") starts+=("$i")
        fi
    done
    mapfile -t found < <("${COMP_WORDS[0]/#\~/$HOME}" __complete "${words[@]}" 2>/dev/null)
    COMPREPLY=()
    ((${#found[@]})) || return
    read -ra end <<<"${found[-1]}"
    unset 'found[-1]'
    found=("${found[@]%%$'\t'*}") word=${words[-1]}
    case ${end[0]} in
    command)
        i=${starts[end[1] - 1]}
        if declare -F _comp_command_offset >/dev/null; then
            _comp_command_offset "$i"
        elif declare -F _command_offset >/dev/null; then
            _command_offset "$i"
        elif ((i == COMP_CWORD)); then
            mapfile -t COMPREPLY < <(compgen -c -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
        fi
        return
        ;;
    open) compopt -o nospace ;;
    files)
        compopt -o filenames
        mapfile -tO ${#found[@]} found < <(compgen -f -- "${word:end[1]}")
        ;;
    folders)
        compopt -o filenames
        mapfile -tO ${#found[@]} found < <(compgen -d -- "${word:end[1]}")
        ;;
    esac
    # what bash replaces begins after the last '=' or ':'
    COMPREPLY=("${found[@]/#/"${word:0:end[1]}"}")
    [[ ! $breaks ]] || COMPREPLY=("${COMPREPLY[@]#"${word%"${word##*[$breaks]}"}"}")
} &&
    complete -F _ilcov ilcov
