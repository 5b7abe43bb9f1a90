import type { Change, Position, RecordSource } from 'rostack-core';

/** Record bodies by id. */
export type State = ReadonlyMap<string, string>;

/** The state after a change. */
export function stateAfter(before: State | undefined, { id, after }: Change): State {
  const state = new Map(before);
  if (after === undefined) state.delete(id);
  else state.set(id, after);
  return state;
}

/** Reads the log from a position to its head, some changes at a time. */
export async function readToHead(source: RecordSource, after: Position, limit = 100): Promise<Change[]> {
  const changes: Change[] = [];
  for (;;) {
    const read = await source.read(changes.at(-1)?.position ?? after, limit);
    if (read.length === 0) return changes;
    changes.push(...read);
  }
}
