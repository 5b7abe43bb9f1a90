import type { z } from 'zod';
import { describeIssue } from './describe-issue.ts';

/** One thing that is wrong with a value from outside. */
export interface Fault {
  /**
   * `schema` for what the JSON Schema of the release says, `json`, `unique_members` and `exact_numbers` for the text, else the name of
   * the cross-field check.
   */
  readonly check: string;
  /** JSON Pointer of the wrong place; empty for the whole value. */
  readonly path: string;
  /** A sentence fragment that follows the path: what is wrong and what has to stand there. */
  readonly message: string;
}

/** Either the value with the type of the model, or what is wrong with it. */
export type Validation<T> =
  | { readonly ok: true; readonly value: T; readonly faults: readonly [] }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** Holds a value against a model and finds every fault. */
export function validate<T>(model: z.ZodType<T>, value: unknown): Validation<T> {
  const result = model.safeParse(value, { reportInput: true });
  if (result.success) return { ok: true, value: result.data, faults: [] };
  const faults = result.error.issues.flatMap((issue) => describeIssue(issue));
  return { ok: false, faults: faults.map((fault) => ({ check: 'schema', ...fault })) };
}
