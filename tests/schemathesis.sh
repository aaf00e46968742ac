#!/usr/bin/env bash
# The API against its own description: Schemathesis asks for everything that /api/2/openapi.json describes, as
# described and otherwise, first with the key of an account and then with a global one. No answer may be a 5xx,
# nor have a status, a type, a header or a member that is not described.
#
# Usage: tests/schemathesis.sh path/to/crier path/to/schemathesis [calls to each operation, 50 by default [kind of key:
# account or global, both by default]]
set -euo pipefail
crier=$(realpath "$1")
schemathesis=$(realpath "$2")
examples=${3:-50}
kinds=${4:-account global}
seed=20261120
checks=not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance
checks+=,response_schema_conformance,unsupported_method,allow_header_conformance
# Administrators that are there for calls to change and delete.
spare=10

folder=$(mktemp -d)
# Schemathesis leaves notes where it runs.
cd "$folder"
server=
finish() {
    local status=$?
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    if [ $status -ne 0 ]; then tail -n 20 "$folder"/*/serve.log 2>/dev/null || true; fi
    rm -rf "$folder"
    exit $status
}
trap finish EXIT

fail() {
    echo "schemathesis: $*" >&2
    exit 1
}

member() { sed -n 's/.*"'"$1"'": *"\([^"]*\)".*/\1/p' "$2"; }

start() {
    "$crier" serve --data "$data" --hostname mx.example.org --base-url https://lists.example.org \
        --http-listen 127.0.0.1:0 --smtp-listen 127.0.0.1:0 --relay smtp://127.0.0.1:9 \
        >"$data/addresses" 2>"$data/serve.log" &
    server=$!
    for _ in $(seq 600); do
        http=$(grep -i http "$data/addresses" | grep -oE '127\.0\.0\.1:[0-9]+' | head -n 1 || true)
        [ -z "$http" ] || return 0
        kill -0 $server || fail "the server ended"
        sleep 0.1
    done
    fail "the server does not listen"
}

call() { curl -fsS -u "$key:" "http://$http/api/2/$1" "${@:2}" >/dev/null; }

# One object of each kind, so that identifiers of small numbers are there.
fill() {
    call contacts/ -d emails=ada@example.org -d firstname=Ada -d lists=news
    call contacts/ -d emails=grace@example.org -d surname=Hopper
    call aliases/ -d source=sales -d destination=ada@example.org
    call messages/ -d list=news -d subject=hello -d content_plain=hello
    local number
    for number in $(seq $spare); do
        call admins/ -d api=2 -d "description=spare $number" -d permissions=manage_members
    done
}

# The description as the server gives it, but for the parameters that are named, and for the endpoints of applications:
# these speak by RFC 6749 and are asked by software for it (tests/oauth.py).
describe() {
    curl -fsS "http://$http/api/2/openapi.json" | python3 -c '
import json, sys
document = json.load(sys.stdin)
paths = document["paths"].items()
document["paths"] = {path: asked for path, asked in paths if not path.startswith("/api/2/oauth/")}
for path in document["paths"].values():
    for operation in path.values():
        operation["parameters"] = [p for p in operation.get("parameters", []) if p["name"] not in sys.argv[1:]]
json.dump(document, sys.stdout)' "$@" >"$folder/openapi.json"
}

# Asks with the key, which must work to the end; the arguments narrow what is asked.
ask() {
    "$schemathesis" --config-file "$folder/schemathesis.toml" run "$folder/openapi.json" --url "http://$http/" \
        --header "Authorization: Bearer $key" \
        --checks "$checks" --phases examples,coverage,fuzzing --max-examples "$examples" --seed $seed \
        --generation-database none --request-timeout 30 --no-color --warnings off --continue-on-failure "$@" ||
        fail "an answer is not as described: see above"
    [ "$(curl -s -o /dev/null -w '%{http_code}' -u "$key:" "http://$http/api/2/admins/")" = 200 ] ||
        fail "the key does not work any more, so what was asked last says nothing"
}

stop() {
    kill -TERM "$server"
    wait "$server" || fail "the server did not stop cleanly"
    server=
    "$crier" verify --data "$data"
}

for kind in $kinds; do
    data=$folder/$kind
    mkdir "$data"
    grouped=()
    [ $kind = account ] || grouped=(--grouped)
    "$crier" setup --data "$data" --domain lists.example.org --admin you@example.org --account main --list news \
        "${grouped[@]}" --json >"$data/setup"
    # Nothing that is asked here shall end at the hourly limit.
    "$crier" account set main --data "$data" --contacts-max 1000000 >"$data/account"
    start
    key=$(member api_key "$data/setup")
    fill
    : >"$folder/schemathesis.toml"
    # A key that changes or deletes its own administrator asks in vain from then on.
    spared=(--exclude-operation-id put_admins_id --exclude-operation-id delete_admins_id)
    if [ $kind = account ]; then
        # One that is given again and again would answer most with 409.
        describe Idempotency-Key
        ask "${spared[@]}"
    else
        key=$(member global_key "$data/setup")
        [ -n "$key" ] || fail "setup printed no global key"
        describe
        # In the account, whose administrators are others.
        printf '[parameters]\naccount_id = 1\n' >"$folder/schemathesis.toml"
        ask --exclude-operation-id delete_accounts_id
        # Of the whole server.
        : >"$folder/schemathesis.toml"
        ask --include-path-regex '/(accounts|admins)/' "${spared[@]}"
    fi
    stop
done
echo "schemathesis: every answer is one that is described"
