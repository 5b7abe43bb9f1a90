import type { z } from 'zod';
import { formatPointer } from '../pointer/pointer.ts';

/** One thing that is wrong with a value from outside. */
export interface Fault {
  /** `schema` for what the JSON Schema of the release says, else the name of the cross-field check. */
  readonly check: string;
  /** JSON Pointer of the wrong place; empty for the whole value. */
  readonly path: string;
  /** A sentence fragment that follows the path: what is wrong and what has to stand there. */
  readonly message: string;
}

/** All faults that a Zod error holds, in its order. */
export function schemaFaults(error: z.ZodError): Fault[] {
  return error.issues
    .flatMap((issue) => describeIssue(issue))
    .map((fault) => ({ check: 'schema', ...fault }));
}

/** `path: message; path: message`, at most ten of them. */
export function summarizeFaults(faults: readonly Fault[]): string {
  const shown = faults
    .slice(0, 10)
    .map(({ path, message }) => `${path === '' ? '(root)' : path}: ${message}`);
  const rest = faults.length - shown.length;
  return rest > 0 ? `${shown.join('; ')}; and ${rest} more` : shown.join('; ');
}

const formatPath = (keys: readonly PropertyKey[]): string => formatPointer(keys.map(String));

function describeIssue(issue: z.core.$ZodIssue): Omit<Fault, 'check'>[] {
  const path = formatPath(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        path: formatPath([...issue.path, key]),
        message: 'is not a member that the protocol knows; remove it',
      }));
    case 'invalid_type':
      return [{ path, message: issue.message.replace(/^Invalid input: /, '') }];
    case 'invalid_union':
      return [{ path, message: 'has none of the shapes that are allowed here' }];
    default:
      return [{ path, message: issue.message.replace(/^Invalid (?:input|option|string): /, '') }];
  }
}
