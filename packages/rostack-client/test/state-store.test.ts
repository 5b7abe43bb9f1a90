import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { FollowState } from 'rostack-client';
import { SqliteStateStore } from 'rostack-client/node';
import { seededNumbers } from 'test-support/seeded-random';
import { temporaryFolder } from 'test-support/temporary-folder';
import { describe, expect, test } from 'vitest';
import { stateAfter } from './support/kill-follower-states.ts';

const WRITER = fileURLToPath(new URL('./support/store-writer.ts', import.meta.url));
const KILLS = 25;

const byId = (state: FollowState | undefined) =>
  state && { ...state, records: [...state.records].sort((a, b) => (a.id < b.id ? -1 : 1)) };

describe('a state store on disk', () => {
  test(`${KILLS} times SIGKILL at any moment: the records are those of the cursor, and nothing processed is lost`, {
    timeout: 120_000,
  }, async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'states.db');
    const random = seededNumbers();
    let first = 0;
    let updates = 0;
    for (let round = 0; round < KILLS; round += 1) {
      const printed = await writeUntilKilled(path, first, random() * 80);
      updates += printed.length;
      await using store = new SqliteStateStore(path);
      const state = await store.load('key');
      expect(state !== undefined || printed.length === 0).toBe(true);
      if (state === undefined) continue;
      const [run = 0, n = 0] = state.cursor.split('.').map(Number);
      expect(byId(state)).toEqual(byId(stateAfter(run, n)));
      const [lastRun = 0, lastN = 0] = (printed.at(-1) ?? '0.0').split('.').map(Number);
      expect(run * 1_000 + n).toBeGreaterThanOrEqual(lastRun * 1_000 + lastN);
      first = run + 1;
    }
    expect(updates).toBeGreaterThan(KILLS);
    const database = new DatabaseSync(path);
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    database.close();
  });

  test.for([
    ['is no database', (path: string) => writeFile(path, 'some text that is not a database at all')],
    [
      'is a database of somebody else',
      async (path: string) => {
        const database = new DatabaseSync(path);
        database.exec('CREATE TABLE theirs (a)');
        database.close();
      },
    ],
  ] as const)('leaves a file alone that %s', async ([, make]) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'a.db');
    await make(path);
    expect(() => new SqliteStateStore(path)).toThrow(
      expect.objectContaining({ code: 'state_store_failed', message: expect.stringContaining(path) }),
    );
  });
});

/** Lets a process of its own write, kills it, and returns what it had acknowledged. */
async function writeUntilKilled(path: string, first: number, afterMs: number): Promise<string[]> {
  const child = spawn(process.execPath, ['--conditions=workspace-source', WRITER, path, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  let timer: NodeJS.Timeout | undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    timer ??= setTimeout(() => child.kill('SIGKILL'), afterMs);
  });
  await new Promise((resolve) => {
    child.on('close', resolve);
  });
  clearTimeout(timer);
  return printed.split('\n').slice(1, -1);
}
