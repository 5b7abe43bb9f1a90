import type { Work } from '../../../drivers/database.ts';
import { MAX_JOINED_SELECTS } from '../../../drivers/dialect/sql.ts';
import { attachmentTable } from '../../attachment/attachment.ts';
import type { AttachedResource } from '../../batch/attached-resource.ts';
import { type Named, NOTHING_POLLED, namesIn, type Polled, waitingQuery } from '../../read/polled.ts';
import { query } from '../../source/query.ts';

/** Polls inboxes together. Checking definitions costs nothing extra: every change to a definition changes the stamp of all. */
export function pollInboxes(resources: readonly AttachedResource[]): Promise<Polled> {
  const [first] = resources;
  if (first === undefined) return Promise.resolve(NOTHING_POLLED);
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
    // A changed attachment may no longer have an inbox.
    const others = attachments.filter((attachment) => !changed.includes(attachment));
    const waiting: Named[] = [];
    for (let start = 0; start < others.length; start += MAX_JOINED_SELECTS)
      waiting.push(...(yield* query<Named>(waitingQuery(others.slice(start, start + MAX_JOINED_SELECTS)))));
    return { ...NOTHING_POLLED, busy: namesIn([...changed, ...waiting]) };
  });
}
