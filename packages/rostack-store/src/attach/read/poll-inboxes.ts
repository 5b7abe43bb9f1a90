import type { Work } from '../../drivers/database.ts';
import { MAX_JOINED_SELECTS, quoteText } from '../../drivers/sql.ts';
import { type Attachment, attachmentTable } from '../attachment/attachment.ts';
import { installedNames } from '../attachment/installation.ts';
import { type AttachedResource, read, readWithLooks } from '../batch/attached-resource.ts';
import { query } from '../source/query.ts';

interface Named {
  readonly name: string;
}

/** What is known of idle leaders after a poll; both by name. */
export interface Polled {
  /** Those that have something to do: notes wait, or the attachment is not as it was. */
  readonly busy: ReadonlySet<string>;
  /** Those whose sleep a writer has ended, though there is nothing to do: it is still writing, or gave up. */
  readonly roused: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

interface Leader extends Named {
  readonly term: number | null;
  readonly waits: boolean;
  readonly isAsleep: boolean;
}

/**
 * Polls inboxes of PostgreSQL together.
 * @param isCheck also whether the tables are as they were attached, this process leads, and the leaders that sleep would be woken
 */
export async function pollInboxes(resources: readonly AttachedResource[], isCheck: boolean): Promise<Polled> {
  const [first] = resources;
  if (first === undefined) return { busy: NONE, roused: NONE };
  const attachments = resources.map(({ attachment }) => attachment);
  if (!isCheck) return { busy: namesIn(await read<Named>(first, waitingQuery(attachments))), roused: NONE };
  const { rows, looks } = await readWithLooks<Leader>(
    first,
    attachments,
    `select at.name, at.term, inbox.waits, inbox."isAsleep" from ${attachmentTable(first.attachment.schema)} at
      join (${inboxQuery(attachments)}) as inbox on inbox.name = at.name`,
  );
  const leaders = new Map(rows.map((leader) => [leader.name, leader]));
  const looked = new Map(looks.map((look) => [look.number, look]));
  const isSettled = ({ name, number, layout, stamp, term }: Attachment): boolean => {
    const [leader, look] = [leaders.get(name), looked.get(number)];
    return leader?.term === term && !leader.waits && look?.layout === layout && look.stamp === stamp;
  };
  const [settled, busy] = [attachments.filter(isSettled), attachments.filter((each) => !isSettled(each))];
  return {
    busy: namesIn(busy),
    roused: namesIn(settled.filter(({ name }) => leaders.get(name)?.isAsleep === false)),
  };
}

/**
 * From now on the next writer of each table notifies its leader; what was written before has to be looked for once more.
 * @returns false where writers cannot
 */
export async function fallAsleep(resources: readonly AttachedResource[]): Promise<boolean> {
  const [first] = resources;
  if (first === undefined) return false;
  const sets = resources.map(
    ({ attachment }) => `pg_catalog.setval(${quoteText(installedNames(attachment).asleep)}, 1)`,
  );
  const sql = `select current_setting('max_prepared_transactions') = '0' as "canNotify", array[${sets.join(', ')}]`;
  const [row] = await first.parts.database.write(() => query<{ readonly canNotify: boolean }>(sql));
  return row?.canNotify === true;
}

/** As `pollInboxes`, on SQLite, where a check costs nothing: each change of a definition changes the stamp of all. */
export function pollSqliteInboxes(resources: readonly AttachedResource[]): Promise<Polled> {
  const [first] = resources;
  if (first === undefined) return Promise.resolve({ busy: NONE, roused: NONE });
  const attachments = resources.map(({ attachment }) => attachment);
  return first.parts.database.transaction(function* (): Work<Polled> {
    const [state] = yield* query<{ stamp: number }>(
      'select schema_version as stamp from pragma_schema_version',
    );
    const terms = yield* query<Named & { readonly term: number }>(
      `select name, term from ${attachmentTable(first.attachment.schema)}`,
    );
    const termOf = new Map(terms.map(({ name, term }) => [name, term]));
    const changed = attachments.filter(
      ({ name, stamp, term }) => stamp !== String(state?.stamp) || termOf.get(name) !== term,
    );
    // What has changed may have no inbox any more.
    const others = attachments.filter((attachment) => !changed.includes(attachment));
    const waiting: Named[] = [];
    for (let start = 0; start < others.length; start += MAX_JOINED_SELECTS)
      waiting.push(...(yield* query<Named>(waitingQuery(others.slice(start, start + MAX_JOINED_SELECTS)))));
    return { busy: namesIn([...changed, ...waiting]), roused: NONE };
  });
}

/** SQL: the names of those that have notes. */
function waitingQuery(attachments: readonly Attachment[]): string {
  return attachments
    .map(
      (attachment) =>
        `select ${quoteText(attachment.name)} as name where exists (select 1 from ${installedNames(attachment).inbox})`,
    )
    .join(' union all ');
}

/** SQL: of each attachment whether it has notes, and whether its leader sleeps. */
function inboxQuery(attachments: readonly Attachment[]): string {
  return attachments
    .map((attachment) => {
      const { inbox, asleep } = installedNames(attachment);
      return `select ${quoteText(attachment.name)} as name, exists (select 1 from ${inbox}) as waits,
        (select last_value = 1 from ${asleep}) as "isAsleep"`;
    })
    .join(' union all ');
}

function namesIn(rows: readonly Named[]): ReadonlySet<string> {
  return new Set(rows.map(({ name }) => name));
}
