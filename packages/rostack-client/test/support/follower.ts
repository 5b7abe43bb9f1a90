import { writeSync } from 'node:fs';
import { connect } from 'rostack-client';
import { SqliteStateStore } from 'rostack-client/node';

/** Follows the stations with a store on disk, prints each change when it is processed: `node follower.ts <url> <token> <file>`. */
const [url = '', token = '', path = ''] = process.argv.slice(2);
const store = new SqliteStateStore(path);
const client = await connect(url, { method: 'shared_token', token });
for await (const change of client.follow('stations', { store })) {
  const told =
    change.kind === 'snapshot'
      ? { kind: change.reason, size: change.records.size }
      : { kind: change.kind, ...('id' in change ? { id: change.id, eventId: change.event.eventId } : {}) };
  // `process.stdout` queues in memory while nobody reads, which a kill would lose after the change was stored.
  writeSync(1, `${JSON.stringify(told)}\n`);
}
