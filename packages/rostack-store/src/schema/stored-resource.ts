import type { Resource } from './resource/resource.ts';
import type { ResourceTables } from './tables.ts';

/** A resource with its tables. */
export interface StoredResource {
  readonly resource: Resource;
  readonly tables: ResourceTables;
}
