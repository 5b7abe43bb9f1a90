import type { Work } from '../../../drivers/database.ts';
import { type Attachment, attachmentTable } from '../../attachment/attachment.ts';
import { DeposedError } from '../../attachment/leader-lease.ts';
import { query } from '../../source/query.ts';

/** The stamp of all definitions of the file. @throws DeposedError if this process no longer leads */
export function* readState({ schema, name, term }: Attachment): Work<{ readonly stamp: string }> {
  const [state] = yield* query<{ term: number | null; stamp: number }>(
    `select (select schema_version from pragma_schema_version) as stamp,
      (select term from ${attachmentTable(schema)} where name = $1) as term`,
    [name],
  );
  if (state?.term !== term) throw new DeposedError(`term ${term} is over`);
  return { stamp: String(state.stamp) };
}
