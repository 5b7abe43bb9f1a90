import { UsageError } from 'rostack-client';
import { parallelSnapshot } from 'rostack-client/snapshot';
import type { JsonObject } from 'rostack-core';
import { filterArgument, withRecordId } from '../command/arguments.ts';
import type { CliIo, RegisterCommand } from '../command/command.ts';
import {
  type ConnectionOptions,
  openPatientClient,
  withConnection,
  writeWaiting,
} from '../command/connection.ts';
import { MirrorStore } from './mirror-store.ts';
import { inUseElsewhere, type MirrorTarget } from './mirror-target.ts';
import { PostgresTarget } from './postgres-target.ts';
import { SqliteTarget } from './sqlite-target.ts';

interface MirrorArguments extends ConnectionOptions {
  readonly filter?: JsonObject;
  readonly recordId?: string;
  readonly table?: string;
  readonly databaseEnv: string;
  readonly once?: boolean;
}

/** `mirror`: a table that is kept in step with a resource. */
export const registerMirror: RegisterCommand = (program, io) => {
  withRecordId(
    withConnection(
      program
        .command('mirror <url> <resource> [file]')
        .description(
          'keep a table in step with a resource: of a SQLite file, or without one of the PostgreSQL database that DATABASE_URL names; Ctrl-C ends it',
        )
        .option('--table <name>', 'table to fill; without it, the name of the resource')
        .option('--filter <json>', `which records, such as '{"/region":{"eq":"north"}}'`, filterArgument)
        .option(
          '--database-env <name>',
          'environment variable that holds the URL of PostgreSQL',
          'DATABASE_URL',
        )
        .option('--once', 'end when the table is up to date')
        .addHelpText(
          'after',
          '\nThe table has the columns id, version and record (JSON). It is made when it is missing; its cursor is in the\n' +
            'table rostack_mirror and changes in the same transactions. After a crash the next start goes on from there,\n' +
            'also in the middle of the first snapshot: what was read of it is in the table rostack_mirror_part.',
        ),
    ),
  ).action(async (url: string, resource: string, file: string | undefined, options: MirrorArguments) => {
    const failure = new AbortController();
    const fail = (error: unknown): void => failure.abort(error);
    await using stack = new AsyncDisposableStack();
    const client = stack.use(await openPatientClient(url, options, io));
    if (client === undefined) return;
    const table = options.table ?? resource;
    const target = stack.use(await openTarget(file, table, options, fail, io));
    if (!(await target.claim())) throw inUseElsewhere(table);
    const store = stack.use(new MirrorStore(target, resource, fail));
    const follow = client.follow(resource, {
      store,
      key: resource,
      snapshot: parallelSnapshot(),
      ...(options.filter !== undefined && { filter: options.filter }),
      ...(options.recordId !== undefined && { recordId: options.recordId }),
      signal: AbortSignal.any([io.stop, failure.signal]),
      onWaiting: (error, retryInMs) => writeWaiting(io, error, retryInMs),
    });
    try {
      for await (const change of follow) {
        if (change.kind === 'snapshot') io.stderr.write(`${change.reason}: ${change.records.size} records\n`);
        if (change.kind !== 'live') continue;
        if (options.once === true) break;
        io.stderr.write('up to date\n');
      }
    } catch (error) {
      if (failure.signal.aborted) throw failure.signal.reason;
      if (!io.stop.aborted) throw error;
    }
    await store.flush();
  });
};

function openTarget(
  file: string | undefined,
  table: string,
  { databaseEnv }: MirrorArguments,
  onLost: (error: unknown) => void,
  { environment }: CliIo,
): MirrorTarget | Promise<MirrorTarget> {
  if (file !== undefined && /^\w+:\/\//.test(file)) {
    throw new UsageError(
      `pass the URL of a database in the environment variable ${databaseEnv}, since other users can see command lines`,
    );
  }
  if (file !== undefined) return new SqliteTarget(file, table);
  const url = environment[databaseEnv];
  if (url === undefined || url === '') {
    throw new UsageError(`name a SQLite file, or put the URL of a PostgreSQL database into ${databaseEnv}`);
  }
  return PostgresTarget.open(url, table, onLost);
}
