import type { Work } from '../drivers/database.ts';
import { MAX_JOINED_SELECTS, quoteText } from '../drivers/sql.ts';
import { type AttachedResource, read } from './attached-resource.ts';
import { type Attachment, attachmentTable } from './attachment.ts';
import { installedNames } from './installation.ts';
import { type LayoutLook, layoutQuery } from './layout.ts';
import { query } from './query.ts';

interface Named {
  readonly name: string;
}

/**
 * The names of the attachments of PostgreSQL whose leaders have something to do, by one statement.
 * @param isCheck also those whose tables are no longer as they were attached, or that another process leads
 */
export async function pollInboxes(
  resources: readonly AttachedResource[],
  isCheck: boolean,
): Promise<ReadonlySet<string>> {
  const [first] = resources;
  if (first === undefined) return new Set();
  const attachments = resources.map(({ attachment }) => attachment);
  if (!isCheck) return namesIn(await read<Named>(first, waitingQuery(attachments)));
  const looks = await read<Named & LayoutLook & { readonly term: number | null; readonly waits: boolean }>(
    first,
    `select at.name, look.layout, look.stamp, at.term, at.name in (${waitingQuery(attachments)}) as waits
      from ${attachmentTable(first.attachment.schema)} at join (${layoutQuery(...attachments)}) as look on look.number = at.number`,
  );
  const settled = new Set(
    attachments
      .filter((attachment) => looks.some((look) => isSettled(attachment, look)))
      .map(({ name }) => name),
  );
  return new Set(attachments.map(({ name }) => name).filter((name) => !settled.has(name)));
}

function isSettled(
  { name, layout, stamp, term }: Attachment,
  look: Named & LayoutLook & { readonly term: number | null; readonly waits: boolean },
): boolean {
  return (
    look.name === name && !look.waits && look.layout === layout && look.stamp === stamp && look.term === term
  );
}

/** As `pollInboxes`, on SQLite, where a check costs nothing: each change of a definition changes the stamp of all. */
export function pollSqliteInboxes(resources: readonly AttachedResource[]): Promise<ReadonlySet<string>> {
  const [first] = resources;
  if (first === undefined) return Promise.resolve(new Set());
  const attachments = resources.map(({ attachment }) => attachment);
  return first.parts.database.transaction(function* (): Work<ReadonlySet<string>> {
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
    return namesIn([...changed, ...waiting]);
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

function namesIn(rows: readonly Named[]): ReadonlySet<string> {
  return new Set(rows.map(({ name }) => name));
}
