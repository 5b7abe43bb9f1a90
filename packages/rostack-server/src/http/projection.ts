import type { JsonSchema, JsonValue } from 'rostack-core';
import { HttpProblem } from './http-problem.ts';

/** Which members of a record are kept (protocol section 5, `fields`). */
export interface Projection {
  /** Equal for projections that keep the same. */
  readonly identity: string;
  apply(record: JsonValue): JsonValue;
}

/** @throws HttpProblem invalid-fields */
export function parseProjection(_text: string, _schema: JsonSchema | undefined): Projection {
  throw HttpProblem.of('invalid-fields', 'Fields cannot be chosen yet: leave the parameter out.');
}
