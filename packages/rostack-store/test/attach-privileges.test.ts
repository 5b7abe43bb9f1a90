import { Client } from 'pg';
import { describePostgres, POSTGRES_URL } from 'test-support/postgres';
import { expect, test, vi } from 'vitest';
import { attachTable, detachTable, openStore, startMover } from '../src/index.ts';
import { equal, following, QUICK } from './support/attached.ts';
import { postgres } from './support/databases.ts';
import { appTable, observations } from './support/observations.ts';

/** A URL whose sessions have the privileges of a role that cannot log in. */
function urlAs(role: string): string {
  const url = new URL(POSTGRES_URL);
  url.searchParams.set('options', `-c role=${role}`);
  return url.href;
}

describePostgres('privileges', () => {
  test('the owner of the table for attach and detach, select for the mover, none of the store for writers', async () => {
    await using database = postgres();
    await using app = await appTable(database);
    const [owner, gateway, writer] = ['owner', 'gateway', 'writer'].map(
      (role) => `${database.schema}_${role}`,
    );
    await app.query(`create role ${owner}; create role ${gateway}; create role ${writer};
      do $$ begin execute format('grant create on database %I to ${gateway}', current_database()); end $$;
      alter schema ${app.schema} owner to ${owner}; alter table ${app.table} owner to ${owner};
      grant usage on schema ${app.schema} to ${writer}, ${gateway};
      grant usage on sequence ${app.schema}.revision to ${writer};
      grant insert, select, update, delete, truncate on ${app.table} to ${writer}`);
    const writing = new Client(urlAs(writer ?? ''));
    await writing.connect();
    try {
      await using store = await openStore({
        url: urlAs(gateway ?? ''),
        schema: database.schema,
        resources: [observations],
        onAlarm: () => {},
      });
      const refusal = (message: string) =>
        expect(attachTable(store, 'observations', app.source)).rejects.toThrow(message);
      await refusal('belongs to another role: grant membership in the owner');
      await app.query(`grant ${owner} to ${gateway}; revoke all on ${app.table} from ${owner}`);
      await refusal('cannot be read: grant select');
      await app.query(`grant select, trigger on ${app.table} to ${gateway}`);
      await app.query(`alter table ${app.table} enable row level security, force row level security`);
      await refusal('has row security that hides rows');
      await app.query(`alter table ${app.table} disable row level security, no force row level security`);
      await writing.query(`insert into ${app.table} (id, station) values (1, 'before')`);
      await attachTable(store, 'observations', app.source);
      await app.query(`revoke ${owner} from ${gateway}`);
      await using mover = startMover(store, { observations: app.source }, QUICK);
      await following(mover);
      await writing.query(`insert into ${app.table} (id, station) values (2, 'after')`);
      await writing.query(`update ${app.table} set id = 3 where id = 1`);
      await equal({ app, store });
      // What the triggers cannot see for a while, they do not take for gone.
      await app.query(`alter table ${app.table} enable row level security;
        create policy writes on ${app.table} to ${writer} using (true)`);
      await writing.query(`update ${app.table} set height = 1; update ${app.table} set height = 2`);
      await app.query(`alter table ${app.table} disable row level security`);
      await following(mover);
      await equal({ app, store });
      await writing.query(`truncate ${app.table}`);
      await equal({ app, store });
      await expect(writing.query(`select * from ${database.schema}.inbox_1`)).rejects.toThrow(
        'permission denied',
      );
      await expect(detachTable(store, 'observations')).rejects.toMatchObject({ code: 'attach_refused' });
      await app.query(`grant ${owner} to ${gateway}`);
      await detachTable(store, 'observations');
      await vi.waitFor(() => {
        expect(mover.status).toMatchObject([{ state: 'stopped' }]);
      });
    } finally {
      await writing.end();
      await app.query(
        `drop owned by ${gateway}, ${owner}, ${writer} cascade; create schema ${app.schema}; drop role ${gateway}, ${owner}, ${writer}`,
      );
    }
  });
});
