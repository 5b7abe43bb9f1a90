import type { Work } from '../../../drivers/database.ts';
import { quoteName } from '../../../drivers/dialect/sql.ts';
import type { Attachment } from '../../attachment/attachment.ts';
import { installedNames } from '../../attachment/installation.ts';
import { describeChange } from '../../attachment/layout.ts';
import type { AttachedResource } from '../../batch/attached-resource.ts';
import type { Batch, TableChange } from '../../batch/batch.ts';
import { carriedBytes, countWithin } from '../../row/carried-bytes.ts';
import type { NetChange } from '../../row/net-change.ts';
import { hasKey, sqliteId } from '../../row/sqlite-row.ts';
import { query } from '../../source/query.ts';
import { lookAtSqlite } from '../install/layout.ts';
import { readState } from './read-state.ts';
import { sqliteRowBytes } from './row-bytes.ts';
import { changeOf, type FoundRow, MAX_KEY_BYTES, type RefusedRow, tableOf, values } from './rows.ts';

/** A note of the inbox. SQLite assigns any free number once there is no greater one, so it may be too large for JavaScript. */
interface Note {
  readonly number: string;
}

const NUMBER = 'cast(i.number as text)';

/**
 * Reads what to move next. The inbox has only keys, and the rows are read in their current state, in the same snapshot. So a batch takes
 * the records from one committed state of the table to another, or part of the way if more rows have changed than fit into it.
 */
export function readInbox(
  resource: AttachedResource,
  maxRows = 2_000,
): Promise<Batch | TableChange | undefined> {
  return resource.parts.database.transaction(() => readNext(resource, maxRows));
}

function* readNext(resource: AttachedResource, maxRows: number): Work<Batch | TableChange | undefined> {
  const { attachment } = resource;
  const { stamp } = yield* readState(attachment);
  const { phase, place } = attachment;
  const batch = { changes: [], emptiesQuarantine: false, movedRows: 0 };
  if (stamp !== attachment.stamp) {
    const look = yield* lookAtSqlite(attachment);
    const change = describeChange(attachment.layout, look.layout);
    if (change !== undefined) return { change };
    // Reads everything again: the triggers may have been missing for a while.
    return { ...batch, emptiesQuarantine: true, progress: { phase: 'load', place: null, stamp } };
  }
  const { inbox } = installedNames(attachment);
  const notes = yield* query<Note>(
    `select ${NUMBER} as number from ${inbox} i order by i.number limit ${maxRows}`,
  );
  if (notes.length === 0) return undefined;
  const { changes, end } = yield* readNoted(resource, maxRows);
  const done =
    end === undefined
      ? notes
      : notes.slice(
          0,
          notes.findIndex(({ number }) => number === end),
        );
  return {
    ...batch,
    changes,
    settle: () => settle(inbox, done),
    progress: { phase, place, stamp },
    movedRows: done.length,
    isWhole: end === undefined && notes.length < maxRows,
  };
}

/**
 * Reads the rows that the oldest notes name: first their sizes, which reads no value, then as many of them as may be read at once. `end` is
 * the number of the first note that did not fit, if any.
 */
function* readNoted(
  resource: AttachedResource,
  maxNotes: number,
): Work<{ readonly changes: readonly NetChange[]; readonly end: string | undefined }> {
  const { attachment, parts } = resource;
  const { inbox } = installedNames(attachment);
  const keys = attachment.key.map((_, index) => `k${index + 1}`);
  const noted = keys.map((name) => `i.${name}`);
  const isNull = noted.map((name) => `${name} is null`).join(' or ');
  const ofKey = noted.map((name) => `coalesce(octet_length(${name}), 0)`).join(' + ');
  const whole = sqliteId(attachment, noted);
  const id = `case when ${ofKey} > ${MAX_KEY_BYTES} then hex(substr(cast(${whole} as blob), 1, ${MAX_KEY_BYTES})) else ${whole} end`;
  const bytes = sqliteRowBytes(resource, 't');
  const record = `case when ${ofKey} > ${MAX_KEY_BYTES} then ${ofKey} else 0 end + ${bytes.record}`;
  const isRefused = `(${isThere(attachment)} and (${ofKey} > ${MAX_KEY_BYTES} or ${bytes.record} > ${carriedBytes(parts.options.maxRecordBytes)}))`;
  const select = <Found extends object>(columns: string, where: string) =>
    query<Found>(
      `with noted as (select min(number) as number, max(number) as last, min(noted) as noted, ${keys.join(', ')} from (
          select * from ${inbox} order by number limit ${maxNotes}) group by ${keys.join(', ')})
        select ${columns} from noted i left join ${tableOf(attachment)} t on ${hasKey(attachment, 't', noted)}
        where ${where} order by i.number`,
    );
  const sizes = yield* select<Note & { readonly bytes: number; readonly isRefused: number }>(
    `${NUMBER} as number, min(${ofKey}, ${MAX_KEY_BYTES}) + case when ${isRefused} then 0 else ${bytes.image} end as bytes, ${isRefused} as "isRefused"`,
    'true',
  );
  const count = countWithin(sizes.map((size) => size.bytes));
  const end = sizes[count]?.number;
  const isIn = end === undefined ? 'true' : `i.number < ${end}`;
  type Numbered<Found> = Found & { readonly last: number; readonly waitedMs: number | null };
  const waited = `${elapsedMs('i.noted')} as "waitedMs"`;
  const rows = yield* select<Numbered<FoundRow>>(
    `i.last, ${waited}, ${id} as id, ${isNull} or ${isThere(attachment)} as "isThere", ${values(attachment)}`,
    `${isIn} and not ${isRefused}`,
  );
  const isSomeRefused = sizes.slice(0, count).some((size) => size.isRefused === 1);
  const refused = isSomeRefused
    ? yield* select<Numbered<RefusedRow>>(
        `i.last, ${waited}, ${id} as id, ${record} as "refusedBytes"`,
        `${isIn} and ${isRefused}`,
      )
    : [];
  const changes = [
    ...rows.map((row) => ({
      last: row.last,
      change: { ...changeOf(attachment, row), waitedMs: row.waitedMs },
    })),
    ...refused.map(({ last, ...row }) => ({ last, change: { ...row, image: null } })),
  ];
  return { changes: changes.sort((a, b) => a.last - b.last).map(({ change }) => change), end };
}

/** SQL: time elapsed since a note of the inbox was made, in ms. */
export function elapsedMs(noted: string): string {
  return `(julianday('now') - ${noted}) * 86400000`;
}

function* settle(inbox: string, notes: readonly Note[]): Work<void> {
  yield* query(`delete from ${inbox} where number in (select cast(value as integer) from json_each($1))`, [
    JSON.stringify(notes.map(({ number }) => number)),
  ]);
}

/** SQL: whether the join found a row. */
function isThere({ key }: Attachment): string {
  return `t.${quoteName(key[0]?.column ?? '')} is not null`;
}
