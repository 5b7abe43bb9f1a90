import * as driver from 'pg';
import { describePostgres, POSTGRES_URL } from 'test-support/postgres';
import { expect, test } from 'vitest';

/** What drivers/postgres uses of the driver beyond what the driver promises, by where it is. */
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  'a query': ['submit', 'hasBeenParsed'],
  'a connection': ['attachListeners', 'bind', 'execute', 'sync'],
  'the stream of a connection': ['cork', 'uncork', 'destroy'],
};

const CHANGED =
  'pg is different inside: read docs/design/drivers-and-poolers.md and drivers/postgres before its version moves';

describePostgres('the driver of PostgreSQL', () => {
  test('has inside what the store uses of it', async () => {
    const client = new driver.Client({ connectionString: POSTGRES_URL });
    await client.connect();
    try {
      const { connection, host, port, processID, secretKey } = client as unknown as Record<
        string,
        unknown
      > & {
        readonly connection: Record<string, unknown>;
      };
      const holders: Readonly<Record<string, unknown>> = {
        'a query': new driver.Query('select 1'),
        'a connection': connection,
        'the stream of a connection': connection['stream'],
      };
      const missing = Object.entries(INSIDE).flatMap(([where, members]) =>
        members
          .filter((member) => typeof (holders[where] as Record<string, unknown>)[member] !== 'function')
          .map((member) => `${where} has no ${member}`),
      );
      expect(missing, CHANGED).toEqual([]);
      // What a request to cancel is made of.
      expect([typeof host, typeof port, typeof processID, typeof secretKey], CHANGED).toEqual([
        'string',
        'number',
        'number',
        'number',
      ]);
    } finally {
      await client.end();
    }
  });

  test('calls a query as the store answers it', async () => {
    const calls: string[] = [];
    const client = new driver.Client({ connectionString: POSTGRES_URL });
    await client.connect();
    try {
      for (const time of ['first', 'second']) {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        // A query class of the store has these handlers; each notes what it is told.
        class Noting extends (driver.Query as unknown as new (
          text: string,
          values: readonly unknown[],
        ) => object) {
          name = 'rostack_driver_test';
          handleRowDescription({ fields }: { readonly fields: readonly { readonly name: string }[] }): void {
            calls.push(`${time}: columns ${fields.map(({ name }) => name).join()}`);
          }
          handleDataRow({ fields }: { readonly fields: readonly unknown[] }): void {
            calls.push(`${time}: values ${JSON.stringify(fields)}`);
          }
          handleCommandComplete(): void {
            calls.push(`${time}: complete`);
          }
          handleReadyForQuery(): void {
            resolve();
          }
          handleError(error: Error): void {
            reject(error);
          }
        }
        client.query(new Noting('select $1::bigint + 1 as n, null as nothing', ['41']) as never);
        await promise;
      }
    } finally {
      await client.end();
    }
    const told = (time: string) => [
      `${time}: columns n,nothing`,
      `${time}: values ["42",null]`,
      `${time}: complete`,
    ];
    expect(calls, CHANGED).toEqual([...told('first'), ...told('second')]);
  });
});
