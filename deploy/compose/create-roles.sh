#!/bin/sh
# Runs once in an empty database: the account that owns and migrates the tables, and the one that the consoles work with, which can
# neither change nor delete what is only ever added.
set -eu
psql -v ON_ERROR_STOP=1 -v owner="$(cat /run/secrets/owner-password)" -v server="$(cat /run/secrets/database-password)" <<'SQL'
CREATE ROLE console_owner LOGIN PASSWORD :'owner';
CREATE ROLE console LOGIN PASSWORD :'server';
CREATE DATABASE console OWNER console_owner ENCODING 'UTF8' TEMPLATE template0;
SQL
