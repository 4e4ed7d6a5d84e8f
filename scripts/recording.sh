# What record-http.sh and record-pcaps.sh have in common: to be sourced by a script that has `usage`, `clean_up`, the arrays
# SCENARIOS and TOOLS, and a function scenario_NAME for each scenario; `main "$@"` does the rest.
# shellcheck shell=bash disable=SC2034,SC2153

# A folder for what is not kept, and the one that is written.
WORK=
OUT=
# What could not be had here.
SKIPPED=()

note() { printf '%s\n' "$*" >&2; }

die() {
    note "$(basename "$0"): $*"
    exit 1
}

# skip NAME [WHY]
skip() {
    note "  $1: skipped${2:+, $2}"
    SKIPPED+=("$1")
}

# Prints the packages besides those of TOOLS that are missing; for scripts to define again.
more_missing() { :; }

# What is done once before the first scenario; for scripts to define again.
prepare() { :; }

install_missing() {
    local entry missing=()
    for entry in "${TOOLS[@]}"; do
        command -v "${entry%%:*}" >/dev/null || missing+=("${entry#*:}")
    done
    mapfile -t -O "${#missing[@]}" missing < <(more_missing)
    if ((${#missing[@]} == 0)); then
        return
    fi
    [[ $1 == yes ]] || die "not installed: ${missing[*]}"
    note "installing ${missing[*]}"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

main() {
    local install=yes option name
    while getopts hln option; do
        case $option in
            h) usage && exit 0 ;;
            l) printf '%s\n' "${SCENARIOS[@]}" && exit 0 ;;
            n) install=no ;;
            *) usage >&2 && exit 2 ;;
        esac
    done
    shift $((OPTIND - 1))
    local folder=${1:-}
    local chosen=("${@:2}")
    ((${#chosen[@]})) || chosen=("${SCENARIOS[@]}")
    for name in "${chosen[@]}"; do
        [[ " ${SCENARIOS[*]} " == *" $name "* ]] || die "no scenario $name; -l lists them"
    done
    ((EUID == 0)) || die "needs root to make network namespaces"

    install_missing "$install"
    WORK=$(mktemp -d)
    # Programs that give up their privileges read from it.
    chmod 755 "$WORK"
    trap clean_up EXIT
    OUT=${folder:-$(mktemp -d -t huginn-pcaps-XXXXXX)}
    mkdir -p "$OUT"
    prepare
    note "recording into $OUT on Linux $(uname -r)"
    for name in "${chosen[@]}"; do
        note "$name"
        "scenario_$name"
    done
    if ((${#SKIPPED[@]})); then
        note "skipped: ${SKIPPED[*]}"
    fi
    printf '%s\n' "$OUT"
}
