import { send, type Work } from '../../../drivers/database.ts';
import type { Attachment } from '../../attachment/attachment.ts';
import { installedNames } from '../../attachment/installation.ts';

/** A note, identified by its mark and located by its place. */
export type Note = readonly [place: string, mark: string, ids: number];

/** More ids than any note has. */
export const ALL_IDS = 2_147_483_647;

/** The notes with ids before a number, and how many of their ids come before it. */
export function takeUntil(notes: readonly Note[], end: number): readonly Note[] {
  let next = 1;
  const done: Note[] = [];
  for (const [place, mark, ids] of notes) {
    const count = Math.min(ids, end - next);
    if (count > 0 || next < end) done.push([place, mark, count]);
    next += ids;
  }
  return done;
}

/**
 * Removes completed ids from the inbox, all or the first ones of each note.
 * @param isCut whether one note may be completed only in part
 * @param isKept whether the statement stays prepared
 */
export function* settle(
  { schema, number }: Attachment,
  done: readonly Note[],
  isCut: boolean,
  isKept: boolean,
): Work<void> {
  const { inbox } = installedNames({ schema, number });
  const parameters = [JSON.stringify(done)];
  const found = `from json_array_elements($1) as d (note)
    where i.ctid = any((select array_agg((e.note ->> 0)::tid) from json_array_elements($1) as e (note))::tid[])
      and i.ctid = (d.note ->> 0)::tid and i.mark = (d.note ->> 1)::uuid`;
  const write = (sql: string) =>
    send({ kind: 'once', sql, parameters, isNumbered: true, ...(isKept && { isKept }) });
  if (isCut)
    yield* write(
      `update ${inbox} i set ids = i.ids[(d.note ->> 2)::int + 1:], size = i.size - (d.note ->> 2)::int
      ${found} and cardinality(i.ids) > (d.note ->> 2)::int`,
    );
  yield* write(
    `delete from ${inbox} i using ${found.slice('from '.length)} and coalesce(cardinality(i.ids), 0) <= (d.note ->> 2)::int`,
  );
}
