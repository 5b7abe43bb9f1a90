import { quoteText } from '../../../drivers/dialect/sql.ts';
import { type Attachment, attachmentTable } from '../../attachment/attachment.ts';
import { installedNames } from '../../attachment/installation.ts';
import type { AttachedResource } from '../../batch/attached-resource.ts';
import { type Named, NOTHING_POLLED, namesIn, type Polled, waitingQuery } from '../../read/polled.ts';
import { query } from '../../source/query.ts';
import { read, readWithLooks } from './read.ts';

interface Leader extends Named {
  readonly term: number | null;
  readonly waits: boolean;
  readonly isAsleep: boolean;
}

/**
 * Polls inboxes together.
 * @param isCheck whether to also check that the tables are as they were attached, that this process leads, and that sleeping leaders would
 * be woken
 */
export async function pollInboxes(resources: readonly AttachedResource[], isCheck: boolean): Promise<Polled> {
  const [first] = resources;
  if (first === undefined) return NOTHING_POLLED;
  const attachments = resources.map(({ attachment }) => attachment);
  if (!isCheck)
    return { ...NOTHING_POLLED, busy: namesIn(await read<Named>(first, waitingQuery(attachments))) };
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
 * From now on the next writer of each table notifies its leader; earlier writes need one more poll.
 * @returns false if writers cannot notify
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
