/** Holds rostack-client under test: see the README of the package for the lines. */
import { createInterface } from 'node:readline';
import { connect } from 'rostack-client';
import { SqliteStateStore } from 'rostack-client/node';
import type { JsonObject } from 'rostack-core';

interface FollowCommand {
  readonly url: string;
  readonly token: string;
  readonly resource: string;
  readonly state: string;
  readonly filter?: JsonObject;
}

const input = createInterface({ input: process.stdin });
input.once('close', () => process.exit());
const lines = input[Symbol.asyncIterator]();
const say = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

const command = JSON.parse(String((await lines.next()).value)) as FollowCommand;
try {
  await using store = new SqliteStateStore(command.state);
  await using client = await connect(command.url, { method: 'shared_token', token: command.token });
  const follow = client.follow<JsonObject>(command.resource, {
    ...(command.filter && { filter: command.filter }),
    store,
    key: 'followed',
  });
  await follow.run(async (change) => {
    if (change.kind === 'live') return;
    const eventId = change.kind === 'snapshot' ? undefined : change.event.eventId;
    say({ type: 'change', records: Object.fromEntries(follow.records), event_id: eventId });
    await lines.next();
  });
} catch (error) {
  const { code = 'failed' } = error as { readonly code?: string };
  say({ type: 'error', code });
}
