import type { Dialect } from '../database/dialect.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import type { Attachment } from './attachment.ts';
import type { RowMapping } from './column-mapping.ts';
import type { InstalledNames } from './installation.ts';

/** What moving rows of one attached table takes. */
export interface AttachedResource {
  readonly dialect: Dialect;
  /** The store's PostgreSQL schema. */
  readonly schema: string;
  readonly names: InstalledNames;
  readonly target: StoredResource;
  /** As the leader took it over; its term is the leader's. */
  readonly attachment: Attachment;
  readonly mapping: RowMapping;
  readonly maxRecordBytes: number;
  readonly nowMs: () => number;
  readonly newTag: () => string;
}

/** Somebody else has taken over, or the table was attached again or detached: this process must not write any more. */
export class DeposedError extends Error {
  override readonly name = 'DeposedError';
}
