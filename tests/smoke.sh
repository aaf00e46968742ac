#!/usr/bin/env bash
# The main job with tools that other people wrote: `crier setup`, a list with N contacts made through the API by
# curl, a post by swaks, one by the API, and a stranger's, delivered through Postfix's smtp-sink; then everything
# that arrived is counted.
#
# Usage: tests/smoke.sh path/to/crier [N, 1000 by default]
set -euo pipefail
crier=$1
members=${2:-1000}
wait_max_s=300

folder=$(mktemp -d)
pids=()
finish() {
    local status=$?
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    if [ $status -ne 0 ] && [ -f "$folder/serve.log" ]; then tail -n 40 "$folder/serve.log"; fi
    rm -rf "$folder"
    exit $status
}
trap finish EXIT

fail() {
    echo "smoke: $*" >&2
    exit 1
}

# How many matches the pattern has in what arrived, and how many different ones.
count() { grep -rhoE "$1" "$folder/mail" | wc -l; }
count_unique() { grep -rhoE "$1" "$folder/mail" | sort -u | wc -l; }

wait_for_mails() {
    local deadline=$((SECONDS + wait_max_s))
    until [ "$(find "$folder/mail" -type f | wc -l)" -ge "$1" ]; do
        [ $SECONDS -lt $deadline ] || fail "$(find "$folder/mail" -type f | wc -l) of $1 copies after $wait_max_s s"
        sleep 0.2
    done
    # One copy too many would come now.
    sleep 1
    [ "$(find "$folder/mail" -type f | wc -l)" -eq "$1" ] || fail "more than $1 copies came"
}

mkdir -m 777 "$folder/mail"
chmod 755 "$folder"
user=()
[ "$(id -u)" -ne 0 ] || user=(-u nobody)
for _ in 1 2 3 4 5; do
    port=$((20000 + RANDOM % 10000))
    smtp-sink "${user[@]}" -d "$folder/mail/%M" "127.0.0.1:$port" 128 &
    sink=$!
    sleep 0.3
    if kill -0 $sink 2>/dev/null; then
        pids+=("$sink")
        break
    fi
done
[ ${#pids[@]} -eq 1 ] || fail "smtp-sink does not start"

key=$("$crier" setup --data "$folder/data" --domain lists.example.org --admin you@example.org --list news --json |
    sed -n 's/.*"api_key": *"\([^"]*\)".*/\1/p')
[ -n "$key" ] || fail "setup printed no key"
# Counted are the members' copies and links, and not what a stranger is told.
"$crier" list set news --data "$folder/data" --message-footer '' --send-hold-message false >/dev/null

"$crier" serve --data "$folder/data" --hostname mx.example.org --base-url https://lists.example.org --dns-server 127.0.0.1:9 \
    --http-listen 127.0.0.1:0 --smtp-listen 127.0.0.1:0 --relay "smtp://127.0.0.1:$port" \
    >"$folder/addresses" 2>"$folder/serve.log" &
server=$!
pids+=("$server")
# The address of the line that names a protocol.
address() { grep -i "$1" "$folder/addresses" | grep -oE '127\.0\.0\.1:[0-9]+' | head -n 1; }
for _ in $(seq 600); do
    if [ -n "$(address http)" ] && [ -n "$(address smtp)" ]; then break; fi
    kill -0 $server || fail "the server ended"
    sleep 0.1
done
http=$(address http) smtp=$(address smtp)
curl -fsS "http://$http/healthz" >/dev/null

echo "smoke: $members contacts"
for number in $(seq "$members"); do
    [ "$number" -eq 1 ] || echo next
    echo "url = \"http://$http/api/2/contacts/\""
    echo "user = \"$key:\""
    echo "data = \"emails=member$number@example.org&lists=news\""
    echo "output = \"/dev/null\""
    echo "fail"
done >"$folder/curl"
curl -sS --fail-early -K "$folder/curl" >/dev/null

echo "smoke: a post by swaks"
post() { swaks --server "$smtp" --from "$1" --to news@lists.example.org --header "Subject: $2" --body "$2" >"$folder/swaks" 2>&1; }
post member1@example.org "by swaks" || fail "swaks: $(cat "$folder/swaks")"
wait_for_mails "$members"
[ "$(count_unique '^X-Rcpt-Args:.*')" -eq "$members" ] || fail "not every member got a copy"
[ "$(count_unique '^X-Mail-Args:.*')" -eq "$members" ] || fail "copies share an envelope sender"
[ "$(count_unique 'https://lists\.example\.org/unsubscribe/[a-z0-9]+/')" -eq "$members" ] || fail "copies share a link"
[ "$(count '^DKIM-Signature:')" -ge "$members" ] || fail "copies are not signed"

echo "smoke: a post by the API"
curl -fsS -u "$key:" "http://$http/api/2/messages/" -d list=news -d subject=api --data-urlencode "content_plain=by API" >/dev/null
wait_for_mails $((2 * members))
[ "$(count_unique '^X-Mail-Args:.*')" -eq $((2 * members)) ] || fail "copies share an envelope sender"

echo "smoke: a stranger's post"
post stranger@example.net "by a stranger" || fail "swaks: $(cat "$folder/swaks")"
# No member gets it; the administrator is asked.
wait_for_mails $((2 * members + 1))
[ "$(count '^X-Rcpt-Args:.*you@example\.org')" -eq 1 ] || fail "the administrator was not asked"

kill -TERM $server
wait $server || fail "the server did not stop cleanly"
"$crier" verify --data "$folder/data"
echo "smoke: $members copies of each post, each with a sender and a link of its own; the stranger's post is held, and the administrator asked"
