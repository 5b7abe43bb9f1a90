import { readAttachment } from '../../src/attach/attachment/attachment.ts';
import { takeOver } from '../../src/attach/attachment/leader-lease.ts';
import type { AttachedResource } from '../../src/attach/batch/attached-resource.ts';
import { rowMapping } from '../../src/attach/row/column-mapping.ts';
import { storePartsFor } from '../../src/attach/source/store-parts.ts';
import type { Store } from '../../src/index.ts';
import { observations } from './observations.ts';

/** Begins a term, as a mover does, without one, whoever leads. By default its lease is over at once. */
export async function takenOver(store: Store, leaseMs = 0, definition = observations) {
  const { target, ...parts } = storePartsFor(store, definition.name);
  const { database: internals, schema } = parts;
  const attachment = await internals.write(function* () {
    const until = internals.dialect.name === 'sqlite' ? 'leads_until_ms' : 'leads_until';
    yield { kind: 'once', sql: `update ${schema}.attachment set ${until} = null`, parameters: [] };
    const present = yield* readAttachment(schema, definition.name);
    return present && (yield* takeOver(internals.dialect, present, 'same', leaseMs));
  });
  if (attachment === undefined) throw new Error('nothing is attached');
  const mapping = rowMapping(attachment, definition.schema);
  const leader: AttachedResource = { parts, target, attachment, mapping };
  return { leader, internals };
}
