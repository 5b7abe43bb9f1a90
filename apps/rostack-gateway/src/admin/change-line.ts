import type { JsonObject } from 'rostack-core';
import type { StoreChange } from 'rostack-store';
import { z } from 'zod';
import type { LineFault } from './changes/json-line.ts';
import { parseObject } from './changes/json-line.ts';
import type { Line } from './changes/line-splitter.ts';

const shared = {
  event: z.string().optional(),
  expected_version: z.string().nullable().optional(),
};

const id = z.union([z.string(), z.int()], 'Expected a string or an integer that a JSON number holds exactly');

const changeModel = z.discriminatedUnion('op', [
  z.strictObject({
    op: z.literal('put'),
    record: z.custom<JsonObject>(isObject, 'Expected an object'),
    ...shared,
  }),
  z.strictObject({ op: z.literal('delete'), id, ...shared }),
]);

/**
 * Reads one line of a change stream: `{ "op": "put", "record": {...} }` or `{ "op": "delete", "id": "..." }` (an integer where ids are
 * integers), either with `event` and `expected_version` (null: the record must not exist).
 */
export function parseChangeLine(
  resource: string,
  { text, fault }: Line,
): { readonly change: StoreChange } | { readonly fault: LineFault } {
  if (text === undefined) {
    const message = fault === 'too_long' ? 'the line is too long' : 'the line is not UTF-8';
    return { fault: { code: `line_${fault}`, message } };
  }
  const parsed = parseObject(text, '/record');
  if ('fault' in parsed) return parsed;
  const result = changeModel.safeParse(parsed.record);
  if (!result.success) {
    const [issue] = result.error.issues;
    const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
    return { fault: { code: 'change_malformed', message: `${where}${issue?.message ?? 'malformed'}` } };
  }
  const { event, expected_version: expectedVersion, ...rest } = result.data;
  const conditions = {
    ...(event !== undefined && { event }),
    ...(expectedVersion !== undefined && { expectedVersion }),
  };
  return { change: { resource, ...rest, ...conditions } };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
