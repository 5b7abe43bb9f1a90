import { quoteText } from '../../drivers/dialect/sql.ts';
import type { Attachment } from '../attachment/attachment.ts';
import { installedNames } from '../attachment/installation.ts';

/** The result of polling idle leaders, by name. */
export interface Polled {
  /** Leaders with work: notes wait, or the attachment has changed. */
  readonly busy: ReadonlySet<string>;
  /** Leaders that a writer has woken without work: it is still writing, or rolled back. */
  readonly roused: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** The result for no leaders. */
export const NOTHING_POLLED: Polled = { busy: NONE, roused: NONE };

/** A row of a poll. */
export interface Named {
  readonly name: string;
}

export function namesIn(rows: readonly Named[]): ReadonlySet<string> {
  return new Set(rows.map(({ name }) => name));
}

/** SQL: the names of the attachments that have notes. */
export function waitingQuery(attachments: readonly Attachment[]): string {
  return attachments
    .map(
      (attachment) =>
        `select ${quoteText(attachment.name)} as name where exists (select 1 from ${installedNames(attachment).inbox})`,
    )
    .join(' union all ');
}
