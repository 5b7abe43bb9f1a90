import type { FollowChange } from 'rostack-client';
import { SqliteStateStore } from 'rostack-client/node';
import { escapeLine, type JsonObject } from 'rostack-core';
import { filterArgument, withRecordId } from '../command/arguments.ts';
import { type CliIo, type RegisterCommand, writeLine } from '../command/command.ts';
import {
  type ConnectionOptions,
  openPatientClient,
  withConnection,
  writeWaiting,
} from '../command/connection.ts';
import { isTable, type OutputOptions, withOutput } from './output.ts';

interface FollowArguments extends ConnectionOptions, OutputOptions {
  readonly filter?: JsonObject;
  readonly recordId?: string;
  readonly state?: string;
  readonly once?: boolean;
}

/** `follow`: a set of records and its changes. */
export const registerFollow: RegisterCommand = (program, io) => {
  withRecordId(
    withOutput(
      withConnection(
        program
          .command('follow <url> <resource>')
          .description(
            'print the records of a resource, then each change, across lost connections; Ctrl-C ends it',
          )
          .option('--filter <json>', `which records, such as '{"/region":{"eq":"north"}}'`, filterArgument)
          .option(
            '--state <file>',
            'SQLite file that remembers how far it came: the next start goes on there',
          )
          .option('--once', 'end when everything up to now was printed')
          .addHelpText(
            'after',
            '\nEach line has a kind: present (a record of the snapshot), created, updated, deleted (with a filter\n' +
              'left-or-deleted), and live when what follows happens now. A line that was printed but not yet remembered comes\n' +
              'again after a crash: use the eventId where twice is too often.',
          ),
      ),
    ),
  ).action(async (url: string, resource: string, options: FollowArguments) => {
    await using stack = new AsyncDisposableStack();
    const client = stack.use(await openPatientClient(url, options, io));
    if (client === undefined) return;
    const store = options.state === undefined ? undefined : stack.use(new SqliteStateStore(options.state));
    const follow = client.follow(resource, {
      ...(options.filter !== undefined && { filter: options.filter }),
      ...(options.recordId !== undefined && { recordId: options.recordId }),
      ...(store !== undefined && { store }),
      signal: io.stop,
      onWaiting: (error, retryInMs) => writeWaiting(io, error, retryInMs),
    });
    const write = isTable(options, io) ? forPeople : asJson;
    try {
      for await (const change of follow) {
        for (const line of linesOf(change)) await write(io, line);
        if (change.kind === 'live' && options.once === true) return;
      }
    } catch (error) {
      if (!io.stop.aborted) throw error;
    }
  });
};

interface Line {
  readonly kind: string;
  readonly id?: string;
  readonly record?: JsonObject;
  readonly [member: string]: unknown;
}

/** A change as lines that each make sense alone. */
function* linesOf(change: FollowChange<JsonObject>): Generator<Line> {
  if (change.kind === 'live') yield { kind: 'live' };
  else if (change.kind !== 'snapshot') {
    const { kind, id, event } = change;
    yield { kind, id, ...('record' in change && { record: change.record }), ...event };
  } else if (change.reason === 'initial') {
    for (const [id, record] of change.records) yield { kind: 'present', id, record };
  } else {
    // The differences of a replaced snapshot; a restored one has none.
    for (const { id, record } of change.added) yield { kind: 'created', id, record };
    for (const { id, record } of change.changed) yield { kind: 'updated', id, record };
    for (const { id } of change.removed) yield { kind: 'deleted', id };
  }
}

const asJson = ({ stdout }: CliIo, line: Line): Promise<void> => writeLine(stdout, JSON.stringify(line));

const KIND_WIDTH = 16;

function forPeople({ stdout }: CliIo, { kind, id = '', record, occurredAt = '' }: Line): Promise<void> {
  const time = typeof occurredAt === 'string' ? occurredAt.slice(11, 23).padEnd(12) : '';
  const text = record === undefined ? '' : JSON.stringify(record);
  return writeLine(stdout, escapeLine(`${time}  ${kind.padEnd(KIND_WIDTH)}  ${id}  ${text}`.trimEnd()));
}
