import { quoteText } from '../../drivers/dialect/sql.ts';
import type { Attachment } from '../attachment/attachment.ts';
import { installedNames } from '../attachment/installation.ts';

/** What is known of idle leaders after a poll; both by name. */
export interface Polled {
  /** Those that have something to do: notes wait, or the attachment is not as it was. */
  readonly busy: ReadonlySet<string>;
  /** Those whose sleep a writer has ended, though there is nothing to do: it is still writing, or gave up. */
  readonly roused: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** Of no leaders. */
export const NOTHING_POLLED: Polled = { busy: NONE, roused: NONE };

/** A row of a poll. */
export interface Named {
  readonly name: string;
}

export function namesIn(rows: readonly Named[]): ReadonlySet<string> {
  return new Set(rows.map(({ name }) => name));
}

/** SQL: the names of those that have notes. */
export function waitingQuery(attachments: readonly Attachment[]): string {
  return attachments
    .map(
      (attachment) =>
        `select ${quoteText(attachment.name)} as name where exists (select 1 from ${installedNames(attachment).inbox})`,
    )
    .join(' union all ');
}
