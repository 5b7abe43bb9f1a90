#!/usr/bin/env bash
# Installs with apt-get what tests start beside npm's packages: pgbouncer, PostgreSQL's programs, Python's websocket-client; nginx and Caddy for the night.
set -euo pipefail

missing=()
PATH="$PATH:/usr/sbin"
command -v pgbouncer >/dev/null || missing+=(pgbouncer)
{ python3 -c 'import websocket' || /usr/bin/python3 -c 'import websocket'; } >/dev/null 2>&1 || missing+=(python3-websocket)
[ -d /usr/lib/postgresql ] || command -v pg_config >/dev/null || missing+=(postgresql)
[ "${1:-}" = night ] && { command -v nginx >/dev/null || missing+=(nginx-light); }
[ "${1:-}" = night ] && { command -v caddy >/dev/null || missing+=(caddy); }
[ "${#missing[@]}" -eq 0 ] && exit 0

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update
"${as_root[@]}" apt-get install --yes --no-install-recommends "${missing[@]}"
