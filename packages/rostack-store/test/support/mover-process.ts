import { openStore, startMover, type TableSource } from '../../src/index.ts';
import { observations } from './observations.ts';

/** Moves the changes of an attached table until it is killed: `node mover-process.ts <url> <schema> <source>`. Prints its states. */
const [url = '', schema = '', source = '{}'] = process.argv.slice(2);
const store = await openStore({
  url,
  schema,
  resources: [observations],
  writeTimeoutMs: 3_000,
  retention: { intervalMs: 0 },
  onAlarm: ({ code, message }) => process.stdout.write(`alarm ${code} ${message}\n`),
});
const mover = startMover(
  store,
  { observations: JSON.parse(source) as TableSource },
  { pollIntervalMs: 100, takeoverIntervalMs: 200, leaseMs: 2_000 },
);
let told = '';
setInterval(() => {
  const state = mover.status[0]?.state ?? '';
  if (state !== told) process.stdout.write(`${state}\n`);
  told = state;
}, 5);
