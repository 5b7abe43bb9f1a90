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

/** What is known of a first copy. */
export interface CopyFrom {
  /** The resource had no records when the leader took over: none can be without a row, but for what notes tell of. */
  readonly wasEmpty: boolean;
  /** It has none but those that were copied, so that further rows have no record. */
  readonly isAlone: boolean;
}
