import type { Random } from 'test-support/random';
import type { ModelResource, Write } from '../store/model-store.ts';

const IDS = 12;
const LONG_NOTE = 'x'.repeat(3_000);

/** Draws writes to a few records, so that every one of them is created, changed and deleted often. */
export function drawWrites(random: Random, count: number, longNotes: number): Write[] {
  return random.many(count, (): Write => {
    const id = `p${random.int(1, IDS)}`;
    if (random.chance(0.2)) return { op: 'delete', id };
    const note = random.chance(longNotes) ? { note: LONG_NOTE } : {};
    const status = random.pick(['new', 'sent', 'lost']);
    return { op: 'put', record: { id, status, weight: random.int(0, 100), ...note } };
  });
}

/** Writes many changes at once, in transactions of their own. */
export function writeBurst(random: Random, resource: ModelResource, changes: number, nowMs: number): void {
  for (let written = 0; written < changes; ) {
    const count = Math.min(changes - written, random.int(1, 60));
    resource.apply(drawWrites(random, count, 0), nowMs);
    written += count;
  }
}
