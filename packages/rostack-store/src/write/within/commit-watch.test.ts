import { once } from 'node:events';
import { expect, test } from 'vitest';
import { CommitWatch } from './commit-watch.ts';

/** Checks after 1, 3, 7 and 15 ms; the next check would be later than this after the last. */
const LAST_WAIT_MS = 8;
const MOST_LOOKS = 4;

/** What a watch over several logs has done so far. */
interface Seen {
  /** Number of checks of each log. */
  readonly looks: ReadonlyMap<string, number>;
  /** The logs that it reported as moved. */
  readonly moved: readonly string[];
  readonly watch: CommitWatch;
  /** Resolves after this many checks of a log, once their results have been handled. */
  readonly looked: (resource: string, count: number) => Promise<void>;
}

/** @param positionAt position of a log at the nth check, counted from 1; undefined if it cannot be read */
function start(positionAt: (resource: string, look: number) => number | undefined): Seen {
  const looks = new Map<string, number>();
  const moved: string[] = [];
  const events = new EventTarget();
  const head = async (resource: string) => {
    const look = (looks.get(resource) ?? 0) + 1;
    looks.set(resource, look);
    setImmediate(() => events.dispatchEvent(new Event(`${resource} ${look}`)));
    const position = positionAt(resource, look);
    if (position === undefined) throw new Error('no database');
    return { position, floor: 0, epoch: 'e', tag: '' };
  };
  const watch = new CommitWatch(
    (resource) => ({ head: () => head(resource) }),
    (resource) => moved.push(resource),
    LAST_WAIT_MS,
  );
  return { looks, moved, watch, looked: async (...at) => void (await once(events, at.join(' '))) };
}

/** Waits until no check is ahead, measured by checks of other logs. */
async function passed({ watch, looked }: Seen): Promise<void> {
  for (const marker of ['marker 1', 'marker 2']) {
    watch.expect(marker, 1);
    await looked(marker, MOST_LOOKS);
  }
}

const isMarker = (resource: string) => resource.startsWith('marker');

test('a commit is reported once, and then nothing is queried any more', async () => {
  const seen = start((resource, look) => (look === 3 && !isMarker(resource) ? 7 : 0));
  seen.watch.expect('a', 7);
  await seen.looked('a', 2);
  expect(seen.moved).toEqual([]);
  await seen.looked('a', 3);
  await passed(seen);
  expect(seen.moved).toEqual(['a']);
  expect(seen.looks.get('a')).toBe(3);
});

test('of two transactions both commits are reported, the first one too', async () => {
  const seen = start((resource, look) => (isMarker(resource) ? 0 : look));
  seen.watch.expect('a', 1);
  seen.watch.expect('a', 2);
  await seen.looked('a', 2);
  await passed(seen);
  expect(seen.moved).toEqual(['a', 'a']);
  expect(seen.looks.get('a')).toBe(2);
});

test.each([
  ['that never commits', 0],
  ['whose database is away', undefined],
])('a transaction %s is given up in the end', async (_name, position) => {
  const seen = start(() => position);
  seen.watch.expect('a', 1);
  await seen.looked('a', MOST_LOOKS);
  await passed(seen);
  expect(seen.looks.get('a')).toBe(MOST_LOOKS);
  expect(seen.moved).toEqual([]);
});

test('what is closed looks at nothing', async () => {
  const [closed, other] = [start(() => 1), start(() => 0)];
  closed.watch.expect('a', 1);
  closed.watch.close();
  await passed(other);
  expect([closed.looks.size, closed.moved]).toEqual([0, []]);
});
