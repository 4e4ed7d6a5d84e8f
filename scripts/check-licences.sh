#!/usr/bin/env bash
# The notices of published methods are in place, and no method is implemented whose licence does not allow it.
#
# JA4 of a TLS client and its own forms are under the BSD 3-clause licence. The rest of the JA4+ family is not open source
# and has no place in code, tests or data, under its own names or in a dependency; documents may name it.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=0
fail() {
    printf '%s\n' "$*" >&2
    failed=1
}

holds() {
    grep -qF "$2" "$1" 2>/dev/null || fail "$1: does not hold \"$2\""
}
holds NOTICE "huginn-net-tls/LICENSE-JA4"
holds NOTICE "huginn-net-tls/LICENSE-JA3"
holds huginn-net-tls/LICENSE-JA4 "FoxIO, LLC"
holds huginn-net-tls/LICENSE-JA3 "Salesforce.com, Inc."

methods='S|SSCAN|H|L|LS|X|T|TS|TSCAN|SSH|D|D6|E'
# As words (ja4h, JA4_H, ja4h_hash), and as part of a name in camel case (Ja4HHash, HttpJa4H, TlsJa4Ssh). Ours are JA4, JA4_r,
# JA4_o, JA4_ro, JA4_s1, JA4_s1r and what has Ja4 and a word.
words="(?i:(?<![a-z0-9])ja4[_+-]?($methods)(?![a-z0-9]))"
camel="Ja4($methods|Sscan|Ls|Ts|Tscan|Ssh)(?![a-z])"
# A grep that does not know these expressions would find nothing.
for name in ja4h JA4_X Ja4HHash HttpJa4H TlsJa4Ssh Ja4TsOf; do
    grep -qP -e "$words|$camel" <<<"$name" || fail "the check does not find $name"
done
found=$(
    git ls-files -z --cached --others --exclude-standard -- \
        '*.rs' '*.toml' '*.lock' '*.sh' '*.py' '*.json' '*.jsonl' '*.fp' '*.tsv' '.ci/*' ':!scripts/check-licences.sh' |
        xargs -0 grep -nP -e "$words|$camel" -- || true
)
[ -z "$found" ] || fail "methods that may not be implemented:"$'\n'"$found"

exit "$failed"
