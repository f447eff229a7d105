#!/bin/sh
# Makes the secrets of compose.yml, each in a file of its own that only the account of its container reads: Docker shows a container
# the file as it is here. What is there stays, and gets its owner. Run it as root on Linux; Docker Desktop maps accounts by itself.
set -eu
cd "$(dirname "$0")"
umask 077
if [ "$(uname)" = Linux ] && [ "$(id -u)" != 0 ]; then
  echo "Run it as root, which may give files to the accounts of the containers: sudo $0" >&2
  exit 1
fi
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
chmod 700 secrets
chmod 400 secrets/*
[ "$(uname)" = Linux ] || exit 0
cd secrets
# The accounts of the images: the console's, PostgreSQL's and the bucket's.
chown 10001:10001 database-url database-owner-url admin-password platform-api-key audit-key documents-key totp-key store-access store-secret
chown 999:999 superuser-password owner-password database-password
chown 1000:1000 store-config
