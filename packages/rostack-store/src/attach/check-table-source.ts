import { resolveResource } from '../resource/resolve-resource.ts';
import type { ResourceDefinition } from '../resource/resource-definition.ts';
import { resolveSource, type TableSource } from './table-source.ts';

/**
 * Checks without a database whether a table may be the source of a resource; `attachTable` then looks at the table itself.
 * @throws AttachRefusedError `attach_refused`
 * @throws StoreOptionsError `store_options_invalid` when the definition cannot be used
 */
export function checkTableSource(source: TableSource, definition: ResourceDefinition): void {
  resolveSource(source, resolveResource(definition));
}
