#!/bin/sh
# Makes the secrets of compose.yml, each in a file of its own. What is there stays.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
make() { [ -s "secrets/$1" ] || printf %s "$2" > "secrets/$1"; }
random() { od -An -tx1 -N24 /dev/urandom | tr -d ' \n'; }
key() { head -c 32 /dev/urandom | base64; }
for name in superuser-password owner-password database-password; do make $name "$(random)"; done
make database-url "postgres://console:$(cat secrets/database-password)@database:5432/console"
make database-owner-url "postgres://console_owner:$(cat secrets/owner-password)@database:5432/console"
make admin-password "$(random)"
make platform-api-key "$(random)"
for name in audit-key documents-key totp-key; do make "$name" "$(key)"; done
make store-access console
make store-secret "$(random)"
make store-config "{\"identities\":[{\"name\":\"console\",\"credentials\":[{\"accessKey\":\"$(cat secrets/store-access)\",\"secretKey\":\"$(cat secrets/store-secret)\"}],\"actions\":[\"Read:documents\",\"Write:documents\",\"List:documents\"]}]}"
# The containers read them as other accounts than yours.
chmod 755 secrets
chmod 644 secrets/*
