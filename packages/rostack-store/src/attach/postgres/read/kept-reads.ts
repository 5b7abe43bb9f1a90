import type { Database } from '../../../drivers/database.ts';
import type { AttachedResource } from '../../batch/attached-resource.ts';

/** A plan takes half a MiB in each connection, so only a few tables of a process have one. */
const MAX_TABLES = 8;
/** How many times an inbox must have had notes before its statements are prepared. */
const MIN_FOUND = 20;

/**
 * The tables of one process whose reads stay prepared: the first ones whose inboxes often have notes. Planning the read of a few rows takes
 * four times as long as running it.
 */
export class KeptReads {
  /** By the attachment's number, how many times notes were found. */
  readonly #found = new Map<number, number>();
  readonly #kept = new Set<number>();

  isKept({ attachment }: AttachedResource): boolean {
    return this.#kept.has(attachment.number);
  }

  /** Counts a read that found notes in the inbox. */
  found({ attachment: { number } }: AttachedResource): void {
    if (this.#kept.size >= MAX_TABLES || this.#kept.has(number)) return;
    const count = 1 + (this.#found.get(number) ?? 0);
    this.#found.set(number, count);
    if (count >= MIN_FOUND) this.#kept.add(number);
  }
}

const ofDatabases = new WeakMap<Database, KeptReads>();

/** The `KeptReads` of the process that reads a table. */
export function keptReadsOf({ parts: { database } }: AttachedResource): KeptReads {
  const known = ofDatabases.get(database) ?? new KeptReads();
  ofDatabases.set(database, known);
  return known;
}
