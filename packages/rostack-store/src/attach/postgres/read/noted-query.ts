import { type Attachment } from '../../attachment/attachment.ts';
import { installedNames } from '../../attachment/installation.ts';
import type { AttachedResource } from '../../batch/attached-resource.ts';
import { CHUNK_BYTES, carriedBytes } from '../../row/carried-bytes.ts';
import type { NetChange } from '../../row/net-change.ts';
import { imageExpression } from '../../row/row-image.ts';
import { isKeyOf, keyTextsOf, keyValues } from '../../row/table-key.ts';
import { qualified } from '../../source/query.ts';
import type { Note } from './notes.ts';
import { renamed } from './read-table.ts';
import { rowBytes, unreadBytes } from './row-bytes.ts';

/** Limits of one batch of noted rows; a batch has at least one row. */
export interface BatchLimits {
  /** Rows of the table. */
  readonly maxRows: number;
  /** Bytes of the rows' ids and texts. */
  readonly maxBytes: number;
  /** Why the values of these rows cannot be read; if given, they are not read. */
  readonly unreadable?: string | undefined;
}

export const MOVE_LIMITS: BatchLimits = { maxRows: 2_000, maxBytes: CHUNK_BYTES };

/** The most notes examined. */
export const MAX_NOTES = 4_000;

/** The result of `notedQuery`. */
export interface Noted {
  readonly notes: readonly Note[];
  /** The number of the first id that did not fit, counted from 1 across all notes; null if all fit. */
  readonly cut: number | null;
  /** Whether these are all waiting notes. */
  readonly isAll: boolean;
  readonly rows: readonly NetChange[];
  /** Ids of records that have no row. */
  readonly missing: readonly string[];
}

/** SQL: one JSON value, `Noted`. It makes images only of the rows that fit; see `readRows` of `read-table.ts`. */
export function notedQuery(
  { attachment, parts }: AttachedResource,
  { maxRows, maxBytes, unreadable }: BatchLimits,
  kinds: 'w' | 'wt',
): string {
  const { source } = attachment;
  const { inbox } = installedNames(attachment);
  const { table, columns } = renamed(attachment);
  const maxRecordBytes = carriedBytes(parts.options.maxRecordBytes);
  const bytes = unreadable === undefined ? rowBytes(table, 'r', maxRecordBytes) : unreadBytes(maxRecordBytes);
  const values = keyValues(attachment, keyTextsOf(attachment.key.length, 'k.id'));
  const sought = keyValues(
    attachment,
    attachment.key.map((_, index) => `(c.texts ->> ${index + 1})`),
  );
  const from = `only ${qualified(source.schema, source.table)} t`;
  // Rows beyond the batch may have values that cannot be read.
  const isMeasured = `(r.number <= ${maxRows} and (r.measured is null or r.measured < ${maxBytes}))`;
  return `with waiting as materialized (select ctid, * from ${inbox} where strpos('${kinds}', kind::text) > 0
        order by noted limit ${MAX_NOTES}),
      note as materialized (select w.* from (select w.*, row_number() over inbox as number,
          sum(cardinality(w.ids)) over before as ids_before, sum(pg_column_size(w.ids)) over before as bytes_before
        from waiting w window inbox as (order by w.noted, w.mark),
          before as (inbox rows between unbounded preceding and 1 preceding)) w
        where coalesce(w.ids_before, 0) < ${maxRows} and coalesce(w.bytes_before, 0) < ${maxBytes}),
      named as materialized (select u.id, min(u.place) as place, max(u.place) as last, min(u.noted) as noted
        from (select u.id, n.noted, row_number() over (order by n.number, u.place) as place from note n, unnest(n.ids) with ordinality u (id, place)) u
        group by u.id),
      fitting as materialized (select r.*, r.bytes is not null and (r.number = 1 or r.number <= ${maxRows} and
            sum(octet_length(r.id) + case when r.is_refused then 0 else r.bytes end) over (order by r.place) <= ${maxBytes}) as is_in
        from (select r.*, coalesce(r.is_there and r.record > ${maxRecordBytes}, false) as is_refused
          from (select r.*, case when ${isMeasured} then ${bytes.image} end as bytes, case when ${isMeasured} then ${bytes.record} end as record
            from (select r.*, row_number() over (order by r.place) as number,
                sum(${bytes.measured}) over (order by r.place rows between unbounded preceding and 1 preceding) as measured
              from (select k.*, r.* from named k left join lateral (
                select true as is_there, ${columns} from ${from} where ${isKeyOf(attachment, 't', values, 'k.id')} offset 0) r on true) r
            ) r offset 0) r) r)
      select json_build_object(
        'notes', (select coalesce(json_agg(json_build_array(n.ctid, n.mark, coalesce(cardinality(n.ids), 0)) order by n.number), '[]') from note n),
        'isAll', (select count(*) < ${MAX_NOTES} from waiting) and (select count(*) from waiting) = (select count(*) from note),
        'cut', (select min(f.place) from fitting f where not f.is_in),
        'rows', (select coalesce(json_agg(json_build_object('id', f.id,
            'image', case when f.is_there and not f.is_refused then array_to_json(${imageExpression(table, 'f')}) end,
            'refusedBytes', case when f.is_refused then f.record end, 'waitedMs', ${elapsedMs('f.noted')}) order by f.last), '[]') from fitting f where f.is_in),
        'missing', (select coalesce(json_agg(c.texts ->> 0), '[]') from json_array_elements($1) as c (texts)
          where not exists (select from ${from} where ${isKeyOf(attachment, 't', sought, '(c.texts ->> 0)')})))`;
}

/** SQL: the kinds of the waiting notes, as one text. */
export function kindsQuery(attachment: Attachment): string {
  return `select string_agg(distinct w.kind::text, '') from (
    select kind from ${installedNames(attachment).inbox} order by noted limit ${MAX_NOTES}) w`;
}

/** SQL: time elapsed since a time, in ms. */
export function elapsedMs(time: string): string {
  return `(extract(epoch from clock_timestamp() - ${time}) * 1000)::float8`;
}
