#!/usr/bin/env bash
# Copies the database when there is no copy yet, then follows it. Begins as root, who may read the secret, as the image does.
set -euo pipefail
PGPASSWORD=$(cat /run/secrets/database-password)
export PGPASSWORD PGDATA=/var/lib/postgresql/data
chown postgres "$PGDATA"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  gosu postgres pg_basebackup --host database --username standby --pgdata "$PGDATA" --wal-method stream \
    --write-recovery-conf --checkpoint fast --create-slot --slot standby
  chmod 700 "$PGDATA"
fi
exec gosu postgres postgres -c hot_standby=on
