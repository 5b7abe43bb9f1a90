import { parse } from 'yaml';
import { KitError } from '../base/kit-error.ts';

/** Why each requirement is known to be broken, by its id. */
export type ExpectedFailures = ReadonlyMap<string, string>;

/**
 * Reads a file of expected failures: a YAML map from ids of requirements to sentences that say why.
 *
 *     json.query.sort: 'Sorting by several fields comes with version 3.'
 *
 * @param known the ids that there are
 * @throws KitError `usage`
 */
export function parseExpectedFailures(text: string, known: { has(id: string): boolean }): ExpectedFailures {
  let value: unknown;
  try {
    value = parse(text);
  } catch (cause) {
    throw new KitError('usage', 'the expected failures are not YAML', { cause });
  }
  const expected = new Map<string, string>();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new KitError('usage', 'expected failures are a map from ids of requirements to sentences');
  }
  for (const [id, reason] of Object.entries(value)) {
    if (!known.has(id)) throw new KitError('unknown_requirement', `there is no requirement ${id}`);
    if (typeof reason !== 'string' || reason === '') {
      throw new KitError('usage', `${id} is expected to fail: say why, in a sentence`);
    }
    expected.set(id, reason);
  }
  return expected;
}
