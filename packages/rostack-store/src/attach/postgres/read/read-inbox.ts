import { parseTrustedJson } from 'rostack-core';
import { type Attachment, attachmentTable } from '../../attachment/attachment.ts';
import { installedNames } from '../../attachment/installation.ts';
import { describeChange, type LayoutLook } from '../../attachment/layout.ts';
import { DeposedError } from '../../attachment/leader-lease.ts';
import type { AttachedResource } from '../../batch/attached-resource.ts';
import type { Batch, TableChange } from '../../batch/batch.ts';
import { keyFault, keyTexts } from '../../row/table-key.ts';
import { qualified } from '../../source/query.ts';
import { keptReadsOf } from './kept-reads.ts';
import {
  type BatchLimits,
  kindsQuery,
  MAX_NOTES,
  MOVE_LIMITS,
  type Noted,
  notedQuery,
} from './noted-query.ts';
import { ALL_IDS, type Note, settle, takeUntil } from './notes.ts';
import { read, readWithLooks } from './read.ts';
import { readAround, unread } from './unreadable-row.ts';

/** The most records that are compared with a truncated table at once. */
const MAX_RECORDS = 4_000;

/**
 * Reads what to move next; undefined if nothing is waiting. The inbox has only ids, and the rows are read in their current state, in the
 * snapshot that contains the notes. So a batch takes the records from one committed state of the table to another, or part of the way if
 * more has changed than fits into it.
 */
export async function readInbox(
  resource: AttachedResource,
  limits: BatchLimits = MOVE_LIMITS,
): Promise<Batch | TableChange | undefined> {
  try {
    return await readAround(limits.maxRows, (maxRows, unreadable) =>
      readNext(resource, { ...limits, maxRows, unreadable }),
    );
  } catch (error) {
    // A statement that names a dropped or altered object fails before it can report the changed layout.
    const instead = error instanceof DeposedError ? undefined : await insteadOfNotes(resource);
    if (instead === undefined) throw error;
    return instead;
  }
}

async function readNext(
  resource: AttachedResource,
  limits: BatchLimits,
): Promise<Batch | TableChange | undefined> {
  const { attachment, target } = resource;
  const { look, kinds, batch: noted } = await readNoted(resource, limits, 'w', []);
  const change = describeChange(attachment.layout, look.layout);
  if (change !== undefined) return { change };
  if (isReadAgain(attachment, look, kinds)) return readAgain(resource, look.stamp);
  if (kinds.size === 0) return undefined;
  if (!kinds.has('t')) return noted;
  // Before the first comparison with the table, there may be records whose ids no key makes.
  if (attachment.phase !== 'live') return readAgain(resource, look.stamp);
  const records = await read<{ id: string }>(
    resource,
    `select id from ${qualified(attachment.schema, target.tables.record)} limit ${MAX_RECORDS + 1}`,
  );
  if (records.length > MAX_RECORDS) return readAgain(resource, look.stamp);
  const compared = await readNoted(resource, limits, 'wt', records);
  return compared.look.stamp === attachment.stamp && compared.batch.isWhole === true
    ? { ...compared.batch, emptiesQuarantine: true }
    : readAgain(resource, look.stamp);
}

/** What to do instead if notes cannot be read; undefined if they should be read. */
async function insteadOfNotes(resource: AttachedResource): Promise<Batch | TableChange | undefined> {
  const { attachment } = resource;
  const [look] = (await readWithLooks(resource, [attachment], 'select')).looks;
  if (look === undefined) return undefined;
  const change = describeChange(attachment.layout, look.layout);
  if (change !== undefined) return { change };
  const [row] = await read<{ readonly kinds: string | null }>(
    resource,
    `select (${kindsQuery(attachment)}) as kinds`,
  );
  return isReadAgain(attachment, look, new Set(row?.kinds)) ? readAgain(resource, look.stamp) : undefined;
}

/** Whether the notes add nothing, because the whole table has to be read: it was changed, or an event could not be captured. */
function isReadAgain({ stamp }: Attachment, look: LayoutLook, kinds: ReadonlySet<string>): boolean {
  return look.stamp !== stamp || kinds.has('e');
}

interface ReadNotes {
  /** Moves the notes, if the table is as it was attached. */
  readonly batch: Batch;
  /** The state of the table when it was read. */
  readonly look: LayoutLook;
  /** The kinds of the waiting notes, including those that were not to be read. */
  readonly kinds: ReadonlySet<string>;
}

/**
 * Reads the rows that the oldest notes name. The batch ends where its rows exceed the limit of bytes; see `readRows`.
 * @param kinds of notes to read; notes of other kinds wait
 * @param records all existing ones if the table was truncated
 * @throws DeposedError if this process no longer leads
 */
async function readNoted(
  resource: AttachedResource,
  limits: BatchLimits,
  kinds: 'w' | 'wt',
  records: readonly { readonly id: string }[],
): Promise<ReadNotes> {
  const { attachment } = resource;
  const keys = records.map(({ id }) => [id, ...(idTexts(attachment, id) ?? [])]);
  const keptReads = keptReadsOf(resource);
  // Other forms of the statement are rare.
  const isUsual = kinds === 'w' && limits.maxRows === MOVE_LIMITS.maxRows && limits.unreadable === undefined;
  const isKept = isUsual && keptReads.isKept(resource);
  const found = await readWithLooks<{ term: number | null; kinds: string | null; noted: string }>(
    resource,
    [attachment],
    `select (select term from ${attachmentTable(attachment.schema)} where name = $2) as term,
        (${kindsQuery(attachment)}) as kinds, (${notedQuery(resource, limits, kinds)})::text as noted`,
    [JSON.stringify(keys), attachment.name],
    // Uses the key's index even if the table was small when its statistics were made.
    ['enable_seqscan = off', 'jit = off'],
    isKept,
  );
  const [[row], [look]] = [found.rows, found.looks];
  if (row?.term !== attachment.term || look === undefined)
    throw new DeposedError(`term ${attachment.term} is over`);
  const { notes, cut, isAll, rows, missing } = parseTrustedJson(row.noted) as Noted;
  if (notes.length > 0) keptReads.found(resource);
  const done = takeUntil(notes, cut ?? Number.POSITIVE_INFINITY);
  const { phase, place, stamp } = attachment;
  const batch: Batch = {
    changes: [
      ...missing.map((id) => ({ id, image: null })),
      ...(limits.unreadable === undefined ? rows : unread(rows, limits.unreadable)),
    ],
    settle: () => settle(attachment, done, cut !== null, isKept),
    emptiesQuarantine: false,
    progress: { phase, place, stamp },
    movedRows: done.reduce((sum, [, , ids]) => sum + ids, 0),
    isWhole: isAll && cut === null,
  };
  return { batch, look, kinds: new Set(row.kinds) };
}

function idTexts({ key }: Attachment, id: string): readonly string[] | undefined {
  return keyFault(key, id) === undefined ? keyTexts(key.length, id) : undefined;
}

/**
 * Starts reading the whole table again. The waiting notes then add nothing and may have keys of another form, so they are dropped first, a
 * limited number at a time. An empty stamp means that dropping is not finished.
 */
async function readAgain(resource: AttachedResource, stamp: string): Promise<Batch> {
  const { attachment } = resource;
  const notes = await read<{ place: string; mark: string }>(
    resource,
    `select ctid::text as place, mark from ${installedNames(attachment).inbox} order by noted limit ${MAX_NOTES}`,
  );
  const whole = notes.map(({ place, mark }): Note => [place, mark, ALL_IDS]);
  return {
    changes: [],
    settle: () => settle(attachment, whole, false, false),
    emptiesQuarantine: true,
    progress: { phase: 'load', place: null, stamp: notes.length < MAX_NOTES ? stamp : '' },
    movedRows: 0,
  };
}
