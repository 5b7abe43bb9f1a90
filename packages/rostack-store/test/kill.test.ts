import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { seededNumbers } from 'test-support/seeded-random';
import { testRuns } from 'test-support/test-runs';
import { expect, test } from 'vitest';
import { openStore } from '../src/index.ts';
import { readChain } from './support/chain.ts';
import { sqliteFile } from './support/databases.ts';
import { readToHead, type State, stateAfter } from './support/log-states.ts';
import { stations } from './support/stations.ts';

const KILLS = testRuns(2);
/** For a process to start and be killed, on a busy machine. */
const KILL_TIMEOUT_MS = 60_000;
const WRITER = fileURLToPath(new URL('./support/kill-writer.ts', import.meta.url));

type Acknowledged = readonly [id: string, position: number, version: string];

test('SIGKILL at any moment: the file is intact, what was acknowledged is kept, the log has no hole', {
  timeout: KILLS * KILL_TIMEOUT_MS,
}, async () => {
  await using database = sqliteFile();
  const random = seededNumbers();
  let lastPosition = 0;
  let state: State = new Map();
  let batches = 0;
  for (let round = 0; round < KILLS; round += 1) {
    const moment = { afterBatches: Math.floor(random() * 80), andMs: random() * 10 };
    const acknowledged = await writeUntilKilled(database.url, round, moment);
    batches += acknowledged.length;
    const file = new Sqlite(database.file);
    expect(file.pragma('integrity_check', { simple: true })).toBe('ok');
    file.close();
    await using store = await openStore({
      url: database.url,
      resources: [stations],
      retention: { intervalMs: 0 },
    });
    const source = store.source('stations');
    const head = await source.head();
    const log = await readToHead(source, Math.max(head.floor, lastPosition), 1_000);
    expect(log.map(({ position }) => position)).toEqual(
      log.map((_, index) => Math.max(head.floor, lastPosition) + 1 + index),
    );
    for (const [id, position, version] of acknowledged.flat()) {
      expect(position).toBeLessThanOrEqual(head.position);
      if (position <= Math.max(head.floor, lastPosition)) continue;
      expect(log.find((change) => change.position === position)).toMatchObject({ id, version });
    }
    const records = await readChain(source, { at: head.position, sort: [], limit: 100 });
    const found = records.map(({ id, body }): [string, string] => [id, body]);
    for (const change of log) state = stateAfter(state, change);
    // Where the log does not reach back to the last round, only what is there can be taken over.
    if (head.floor > lastPosition) state = new Map(found);
    expect(found).toEqual([...state].sort(([a], [b]) => (a < b ? -1 : 1)));
    lastPosition = head.position;
  }
  expect(batches).toBeGreaterThan(KILLS);
});

interface Moment {
  /** A number of batches, not a time: on a busy machine there may be none in any time. */
  readonly afterBatches: number;
  readonly andMs: number;
}

/** Lets a process of its own write, kills it, and returns what it had acknowledged. */
async function writeUntilKilled(
  url: string,
  round: number,
  { afterBatches, andMs }: Moment,
): Promise<Acknowledged[][]> {
  const child = spawn(process.execPath, ['--conditions=workspace-source', WRITER, url, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  let timer: NodeJS.Timeout | undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    // The first line says that the store is open.
    if (printed.split('\n').length <= 1 + afterBatches) return;
    timer ??= setTimeout(() => child.kill('SIGKILL'), andMs);
  });
  await new Promise((resolve) => {
    child.on('close', resolve);
  });
  clearTimeout(timer);
  const lines = printed.split('\n').slice(1, -1);
  return lines.map((line) => JSON.parse(line) as Acknowledged[]);
}
