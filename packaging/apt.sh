# apt.sh - Debian's packages without installing them: sourced by fetch.sh and root.sh.

# use_apt FOLDER [SUITE]: apt-get of this shell then asks the machine's own sources of Debian packages, for both processors and for
# source packages, of another release if one is named. Its lists are in FOLDER.
use_apt() {
    local file folder=$1 suite=${2:-}
    mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial" "$folder/sources"
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
        grep -qs debian "$file" || continue
        case $file in
        *.sources) sed 's/^Types:.*/Types: deb deb-src/' "$file" >"$folder/sources/${file##*/}" ;;
        *.list) sed -n 's/^deb \(.*debian.*\)/deb \1\ndeb-src \1/p' "$file" >"$folder/sources/${file##*/}" ;;
        esac
    done
    [ -z "$suite" ] || sed -i -E "s/\b(bookworm|trixie)\b/$suite/g" "$folder/sources"/*
    cat >"$folder/apt.conf" <<CONF
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$folder/sources";
Dir::State::lists "$folder/lists";
Dir::State::status "/dev/null";
Dir::Cache "$folder/cache";
APT::Architectures { "amd64"; "arm64"; };
APT::Sandbox::User "root";
CONF
    export APT_CONFIG=$folder/apt.conf
    apt-get -qq update
}
