#!/bin/sh
# Makes the secrets of compose.yaml beside it, once; what is there stays.
set -eu
umask 077
cd "$(dirname "$0")"
mkdir -p secrets
make() { [ -e "secrets/$1" ] || printf '%s' "$2" > "secrets/$1"; }
make database-password "$(openssl rand -hex 24)"
make store-url "postgres://rostack:$(cat secrets/database-password)@database:5432/rostack"
make keys "$(openssl rand -hex 32)"
make admin-token "$(openssl rand -hex 32)"
# Who reads them in the containers.
[ "$(id -u)" != 0 ] || chown 1000 secrets/*
