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
}
