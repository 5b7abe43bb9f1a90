#!/usr/bin/env bash
# Copies the database when there is no copy yet, then follows it. Begins as root, who may read the secret, as the image does.
set -euo pipefail
PGPASSWORD=$(cat /run/secrets/database-password)
export PGPASSWORD PGDATA=/var/lib/postgresql/data
chown postgres "$PGDATA"
# The last file of a copy: without it, what is there is the beginning of one.
if [ ! -s "$PGDATA/global/pg_control" ]; then
  find "$PGDATA" -mindepth 1 -delete
  # An earlier copy has left its slot.
  gosu postgres psql --host database --username standby --dbname rostack --quiet --output /dev/null \
    --command "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = 'standby'"
  gosu postgres pg_basebackup --host database --username standby --pgdata "$PGDATA" --wal-method stream \
    --write-recovery-conf --checkpoint fast --create-slot --slot standby
  chmod 700 "$PGDATA"
fi
exec gosu postgres postgres -c hot_standby=on
