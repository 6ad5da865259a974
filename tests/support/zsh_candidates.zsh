# zsh_candidates.zsh FOLDER LINE - prints what zsh offers for the command line with the completion function in
# FOLDER, one candidate a line. An interactive shell on a pseudo-terminal is asked, as a user would with Tab.
folder=$1 line=$2
zmodload zsh/zpty || exit 77

setup=$(mktemp) || exit 2
cat >$setup <<END
PROMPT= RPROMPT=
fpath=(${(q)folder} \$fpath)
END
cat >>$setup <<'END'
autoload -Uz compinit
compinit -u -d $fpath[1]/.dump # made once
bindkey '^I' complete-word
zstyle ':completion:*' insert-tab false
mark() { print -r -- '<mark>' }
compprefuncs=(mark)
comppostfuncs=(mark exit)
# what is added is printed, unless it is only asked for
compadd() {
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
        builtin compadd "$@"
        return
    fi
    local -a hits
    local -A prefix
    builtin compadd -A hits "$@"
    zparseopts -E p:=prefix
    (($#hits)) && print -rl -- $prefix[-p]$^hits
    builtin compadd "$@"
}
print READY
END

zpty shell zsh -f -i
zpty -w shell "source ${(q)setup}"
while zpty -r shell text && [[ $text != READY* ]]; do :; done
rm -f $setup
zpty -w -n shell "$line"$'\t'
integer marks=0
while zpty -r shell text; do
    text=${text//[$'\r\n']/}
    if [[ $text == *'<mark>'* ]]; then
        ((++marks == 2)) && break
    elif ((marks)) && [[ -n $text ]]; then
        print -r -- "$text"
    fi
done
zpty -d shell
