#!/usr/bin/env bash
# Run once by the image, when the database is made: the standby may read the log. The image has read the file of the
# password by then.
set -euo pipefail
psql --set ON_ERROR_STOP=1 --set "password=$POSTGRES_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role standby with replication login password :'password';
SQL
echo 'host replication standby 172.30.0.0/24 scram-sha-256' >> "$PGDATA/pg_hba.conf"
