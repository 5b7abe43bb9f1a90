import type { StoredResource } from '../../schema/stored-resource.ts';
import type { Attachment } from '../attachment/attachment.ts';
import type { RowMapping } from '../row/column-mapping.ts';
import type { StoreParts } from '../source/store-parts.ts';

/** What is needed to move rows of one attached table. */
export interface AttachedResource {
  readonly parts: StoreParts;
  readonly target: StoredResource;
  /** The attachment as the leader took it over, with the leader's term. */
  readonly attachment: Attachment;
  readonly mapping: RowMapping;
  /** How this leader began to copy the table; absent if another one did, or if the table was read before. */
  readonly copy?: CopyFrom;
}

/** What is known about a first copy. */
export interface CopyFrom {
  /** The resource had no records when the leader took over, so only notes can tell of records without a row. */
  readonly wasEmpty: boolean;
  /** All records of the resource come from this copy, so further rows have no record yet. */
  readonly isAlone: boolean;
}
