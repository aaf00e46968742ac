#!/usr/bin/env bash
# A list that mlmmj itself made moves in: mlmmj-make-ml, mlmmj-sub in all its kinds, and two posts that mlmmj accepted
# and archived, delivered to Postfix's smtp-sink. The import is looked at through an export.
#
# Usage: tests/mlmmj.sh path/to/crier
set -euo pipefail
crier=$(realpath "$1")
programs=$(dirname "$(command -v mlmmj-make-ml)")

folder=$(mktemp -d)
pids=()
finish() {
    local status=$?
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$folder"
    exit $status
}
trap finish EXIT

fail() {
    echo "mlmmj: $*" >&2
    exit 1
}

spool=$folder/spool
list=$spool/choir
mkdir "$spool"
printf 'old.example\nboss@example.org\nen\n' | mlmmj-make-ml -L choir -s "$spool" >/dev/null

user=()
[ "$(id -u)" -ne 0 ] || user=(-u nobody)
for _ in 1 2 3 4 5; do
    port=$((20000 + RANDOM % 10000))
    smtp-sink "${user[@]}" "127.0.0.1:$port" 16 &
    sink=$!
    sleep 0.3
    if kill -0 $sink 2>/dev/null; then
        pids+=("$sink")
        break
    fi
done
[ ${#pids[@]} -eq 1 ] || fail "smtp-sink does not start"
echo "$port" >"$list/control/smtpport"
echo "[choir]" >"$list/control/prefix"
touch "$list/control/subonlypost" "$list/control/notmetoo"

# mlmmj wants the whole paths of its programs.
subscribe() { "$programs/mlmmj-sub" -L "$list" -q -f "$@" >/dev/null; }
subscribe -a ada@example.org
subscribe -a bob@example.org -d
subscribe -a eve@example.org -n
# This one waits to be confirmed, and is no member.
"$programs/mlmmj-sub" -L "$list" -q -a new@example.org -C >/dev/null

for number in 1 2; do
    printf '%s\n' "Return-Path: <ada@example.org>" "From: ada@example.org" "To: choir@old.example" \
        "Subject: tea $number" "Message-ID: <tea$number@example.org>" "Date: Fri, 27 Nov 2026 10:00:0$number +0000" \
        "" "Tea at five." | "$programs/mlmmj-receive" -F -L "$list" >/dev/null
done
deadline=$((SECONDS + 30))
until [ -f "$list/archive/2" ]; do
    [ $SECONDS -lt $deadline ] || fail "mlmmj archived no post"
    sleep 0.1
done

"$crier" setup --data "$folder/data" --domain old.example --admin you@example.org --json >/dev/null
numbers() {
    "$crier" import mlmmj "$spool" --data "$folder/data" --json "$@" | python3 -c '
import json, sys
done = json.load(sys.stdin)
print(*(done[kind]["created"] for kind in ("lists", "contacts", "memberships", "messages")))
assert all(done[kind]["rejected"] == 0 for kind in ("lists", "contacts", "memberships", "messages")), done
assert any(left["what"].startswith("subconf") and left["people"] == 1 for left in done["left_behind"]), done'
}
# A dry run says what happens, and running it again changes nothing.
for expected in "1 3 3 2" "1 3 3 2" "0 0 0 0"; do
    flags=()
    [ -e "$folder/dry" ] || flags=(--dry-run)
    touch "$folder/dry"
    found=$(numbers "${flags[@]}")
    [ "$found" = "$expected" ] || fail "$found came in, not $expected"
done
shown() { "$crier" "$@" --data "$folder/data" --json; }
shown member show choir eve@example.org | grep -q '"paused": *true' || fail "nomail is no pause"
shown member show choir bob@example.org | grep -q '"digest": *1' || fail "a digest is none"
shown list show choir | grep -q '"subject_prefix": *"\[choir\]"' || fail "the prefix is missing"
shown list show choir | grep -q '"moderate": *6' || fail "strangers may post"
[ "$(shown member list choir | grep -c 'new@example.org')" -eq 0 ] || fail "somebody is a member who waits"
echo "mlmmj: a list with 3 members and 2 posts moved in"
