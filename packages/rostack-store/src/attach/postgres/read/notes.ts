import { send, type Work } from '../../../drivers/database.ts';
import type { Attachment } from '../../attachment/attachment.ts';
import { installedNames } from '../../attachment/installation.ts';

/** A note, told from all others by its mark; its place finds it. */
export type Note = readonly [place: string, mark: string, ids: number];

/** As many ids as no note has. */
export const ALL_IDS = 2_147_483_647;

/** The notes of which all or the first ids come before a number, with how many of them do. */
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
 * Takes ids that are done with out of the inbox, all or the first ones of each note.
 * @param isCut whether there may be a note of which only the first ones are
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
