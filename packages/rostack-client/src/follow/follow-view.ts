import { UsageError } from '../http/error/errors.ts';

/** Hexadecimal digits of a filter's hash in a key: 128 bits. */
const HASH_LENGTH = 32;

/** What a follow shows of the records that match its filter. */
export interface FollowView {
  /** JSON Pointers, `-` in front for descending; ties, and all records of an empty list, are ordered by the text of their id. */
  readonly sort: readonly string[];
  readonly limit: number | undefined;
  /** How many records are held beyond the limit. */
  readonly margin: number;
  /** What the server is asked for, and what is kept of event data; undefined: whole records. */
  readonly fields: readonly string[] | undefined;
  /** Whether `/id` is one of the fields only because the id is kept: it is replaced where the id is elsewhere. */
  readonly addsId: boolean;
}

/** The options of a follow that make a view. */
export interface ViewOptions {
  readonly sort?: readonly string[];
  readonly limit?: number;
  readonly margin?: number;
  readonly fields?: readonly string[];
  readonly recordId?: unknown;
}

/** The view that options ask for; undefined if it shows everything in no order. @throws UsageError `invalid_options` */
export function followView({ sort, limit, margin, fields, recordId }: ViewOptions): FollowView | undefined {
  if (limit !== undefined && (sort === undefined || sort.length === 0)) {
    throw new UsageError('limit needs sort, which says which records are first');
  }
  if (margin !== undefined && limit === undefined) {
    throw new UsageError('margin needs limit: it counts the records beyond it');
  }
  if (sort === undefined && (fields === undefined || fields.length === 0)) return undefined;
  return {
    sort: sort ?? [],
    limit,
    margin: margin ?? limit ?? 0,
    fields: fields === undefined || fields.length === 0 ? undefined : neededFields(fields, sort, recordId),
    addsId: recordId === undefined && fields?.includes('/id') !== true && !sortsById(sort),
  };
}

/** The fields of a view, with the place of the id. @param idPointer undefined: as it is in the view; empty: nowhere */
export function fieldsOf(
  { fields, addsId }: FollowView,
  idPointer: string | undefined,
): readonly string[] | undefined {
  if (fields === undefined || !addsId || idPointer === undefined || idPointer === '/id') return fields;
  const others = fields.filter((field) => field !== '/id');
  return idPointer === '' ? others : [...new Set([...others, idPointer])].sort();
}

const sortsById = (sort: readonly string[] = []): boolean => sort.some((key) => /^-?\/id(?:\/|$)/.test(key));

/** Names a view; equal for views that hold the same parts of the same records. */
export function viewText({ sort, limit, margin, fields }: FollowView): string {
  const held = limit === undefined ? '' : String(limit + margin);
  return [sort.join(','), held, fields?.join(',') ?? ''].join('~');
}

/** The default key of a follow's state. @param selection hash of the filter; undefined: all records */
export function keyOf(resource: string, selection: string | undefined, view: FollowView | undefined): string {
  const shown = view === undefined ? '' : `~${viewText(view)}`;
  return `${resource}~${selection?.slice(0, HASH_LENGTH) ?? 'all'}${shown}`;
}

/** Adds the id, and whole members that hold sorted fields, because elements of arrays move up when others are left out. */
function neededFields(
  fields: readonly string[],
  sort: readonly string[] = [],
  recordId: unknown,
): readonly string[] {
  const sorted = sort.map((key) => `/${key.replace(/^-/, '').split('/')[1]}`);
  const id = recordId === undefined ? ['/id'] : typeof recordId === 'string' ? [recordId] : [];
  return [...new Set([...fields, ...sorted, ...id])].sort();
}
