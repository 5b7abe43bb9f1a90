// An adapter of rostack-conformance in plain JavaScript: it lets the kit drive the client of plain-client.mjs.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { follow } from './plain-client.mjs';

const input = createInterface({ input: process.stdin });
const lines = input[Symbol.asyncIterator]();
const { url, token, resource, filter, state: path } = JSON.parse((await lines.next()).value);
input.on('close', () => process.exit());
const say = (line, then) => process.stdout.write(`${JSON.stringify(line)}\n`, then);

const store = {
  load: () => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined),
  // A rename replaces the file in one step, so that a crash leaves the old state or the new one.
  save(state) {
    writeFileSync(`${path}.new`, JSON.stringify(state));
    renameSync(`${path}.new`, path);
  },
};

// The kit is the application: a change is processed when the kit says so.
async function onChange(records, eventId) {
  say({ type: 'change', records, event_id: eventId });
  await lines.next();
}

const onError = ({ code = 'failed' }) => say({ type: 'error', code }, () => process.exit(1));
await follow({ url, token, resource, filter, store, onChange, onError });
