import type { AttachedResource } from '../../src/attach/attached-resource.ts';
import { columnMappings } from '../../src/attach/column-mapping.ts';
import { installedNames } from '../../src/attach/installation.ts';
import { storePartsFor } from '../../src/attach/store-parts.ts';
import { takeOver } from '../../src/attach/take-over.ts';
import type { Store } from '../../src/index.ts';
import { observations } from './observations.ts';

/** Begins a term, as a mover does, without one, whoever leads. By default its lease is over at once. */
export async function takenOver(store: Store, leaseMs = 0, definition = observations) {
  const { database: internals, schema, target, options } = storePartsFor(store, definition.name);
  const attachment = await internals.write(function* () {
    yield { kind: 'once', sql: `update ${schema}.attachment set leads_until = null`, parameters: [] };
    return yield* takeOver(internals.dialect, definition.name, 'same', leaseMs);
  });
  if (attachment === undefined) throw new Error('nothing is attached');
  const leader: AttachedResource = {
    dialect: internals.dialect,
    schema,
    names: installedNames(schema, attachment.number),
    target,
    attachment,
    mapping: columnMappings(attachment, definition.schema),
    maxRecordBytes: options.maxRecordBytes,
    nowMs: options.nowMs,
    newTag: options.newTag,
  };
  return { leader, internals };
}
