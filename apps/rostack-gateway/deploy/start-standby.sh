#!/usr/bin/env bash
# Copies the database when there is no copy yet, then follows it.
set -euo pipefail
PGPASSWORD=$(cat /run/secrets/database-password)
export PGPASSWORD PGDATA=/var/lib/postgresql/data
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  pg_basebackup --host database --username standby --pgdata "$PGDATA" --wal-method stream --write-recovery-conf \
    --create-slot --slot standby
  chmod 700 "$PGDATA"
fi
exec postgres -c hot_standby=on
