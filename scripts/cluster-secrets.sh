#!/bin/sh
# Generates the secrets of the compose profile `cluster` into ./secrets, or another directory: one file each. Keeps those that exist.
set -eu
directory=${1:-secrets}
umask 022
mkdir -p "$directory"
chmod 700 "$directory" # the files are readable inside containers, whose users differ, but not by other users of this machine
cd "$directory"

# put NAME VALUE
put() {
  [ -s "$1" ] || printf '%s' "$2" > "$1"
}

for name in postgres database-owner database eventstore-admin eventstore-ops eventstore; do
  put "$name-password" "$(openssl rand -hex 24)"
done
put admin-key "$(openssl rand -hex 24)"
put metrics-token "$(openssl rand -hex 24)"
put master-secret "$(openssl rand -base64 32)"

nodes=eventstore-1:2113,eventstore-2:2113,eventstore-3:2113
tls='tls=true&tlsCAFile=/authority/ca.crt'
put database-url "postgres://latchkey:$(cat database-password)@postgres:5432/latchkey"
put database-owner-url "postgres://latchkey_owner:$(cat database-owner-password)@postgres:5432/latchkey"
put eventstore-url "esdb://latchkey:$(cat eventstore-password)@$nodes?$tls"
put eventstore-admin-url "esdb://admin:$(cat eventstore-admin-password)@$nodes?$tls"
