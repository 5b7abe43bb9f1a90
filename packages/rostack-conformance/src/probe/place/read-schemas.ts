import { type JsonSchema, SCHEMA_DIALECT } from 'rostack-core';
import { KitError } from '../../base/kit-error.ts';
import type { CheckContext } from '../../check/check-context.ts';
import type { ProbeResponse } from '../http/http-probe.ts';

const MAX_REFERRED = 100;

/** Whether a body can be a schema with keywords, not just `true` or `false`. */
export const isSchemaObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads schemas, and at most 100 others that they refer to by URL.
 * @param onUnreachable called for URLs that get no answer
 */
export async function readSchemas(
  { http }: Pick<CheckContext, 'http'>,
  urls: readonly string[],
  onUnreachable: (url: string, error: KitError) => void,
): Promise<ReadonlyMap<string, ProbeResponse>> {
  const answers = new Map<string, ProbeResponse>();
  const pending = [...urls];
  for (let url = pending.shift(); url !== undefined; url = pending.shift()) {
    if (answers.has(url) || answers.size >= urls.length + MAX_REFERRED) continue;
    try {
      const answer = await http.get(url);
      answers.set(url, answer);
      if (answer.status === 200) pending.push(...referredTo(answer.json, url));
    } catch (error) {
      if (!(error instanceof KitError && error.code === 'unreachable')) throw error;
      onUnreachable(url, error);
    }
  }
  return answers;
}

/** The documents that the references of a schema lead to, apart from itself and the dialect's own. */
function referredTo(schema: unknown, url: string): string[] {
  const found = new Set<string>();
  JSON.stringify(schema, (name, value: unknown) => {
    const target = name === '$ref' && typeof value === 'string' ? URL.parse(value, url) : null;
    if (target !== null && /^https?:$/.test(target.protocol)) {
      target.hash = '';
      found.add(target.href);
    }
    return value;
  });
  found.delete(url);
  return [...found].filter((href) => !href.startsWith(new URL(SCHEMA_DIALECT).origin));
}
