#compdef ilcov
# zsh completion for ilcov(1); made by 'ilcov completion zsh'
_ilcov()
{
    local -a found shown end
    local program=${(Q)words[1]}
    found=("${(@f)$("${program/#\~/$HOME}" __complete "${(@Q)words[2,CURRENT - 1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    end=(${=found[-1]}) found[-1]=()
    if [[ $end[1] == command ]]; then
        shift $end[2] words
        ((CURRENT -= end[2]))
        _normal
        return
    fi
    compset -p ${end[2]:-0}
    shown=("${(@)found/$'\t'/  -- }") found=("${(@)found%%$'\t'*}")
    case $end[1] in
    words) compadd -l -d shown -a found ;;
    open) compadd -S '' -l -d shown -a found ;;
    files) _files ;;
    folders) compadd -l -d shown -a found; _files -/ ;;
    esac
}

_ilcov "$@"
