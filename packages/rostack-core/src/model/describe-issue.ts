import type { z } from 'zod';
import { formatPointer } from '../pointer/pointer.ts';

type Issue = z.core.$ZodIssue;

/** Where the fault is and what it is, without the name of the check. */
interface Description {
  readonly path: string;
  readonly message: string;
}

const MAX_VALUES = 8;

/** Turns a Zod issue into faults, one for each wrong place. */
export function describeIssue(issue: Issue, holder: readonly PropertyKey[] = []): Description[] {
  const keys = [...holder, ...issue.path];
  const path = formatPointer(keys.map(String));
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        path: formatPointer([...keys, key].map(String)),
        message: 'is not a member that the protocol knows; remove it',
      }));
    case 'invalid_type':
      return [
        { path, message: issue.input === undefined ? 'is required' : `must be of type ${issue.expected}` },
      ];
    case 'invalid_value':
      return [{ path, message: `must be ${listValues(issue.values)}` }];
    case 'invalid_key':
      return issue.issues.map((inner) => ({ path, message: `the name ${inner.message}` }));
    case 'invalid_union':
      return describeUnion(issue, keys, path);
    case 'too_small':
      return [{ path, message: inOwnWords(issue, `must be at least ${issue.minimum}${unit(issue.origin)}`) }];
    case 'too_big':
      return [{ path, message: inOwnWords(issue, `must be at most ${issue.maximum}${unit(issue.origin)}`) }];
    default:
      return [{ path, message: issue.message }];
  }
}

/** The model's own message, or ours in place of Zod's. */
const inOwnWords = (issue: Issue, message: string): string =>
  /^Too (?:small|big)/.test(issue.message) ? message : issue.message;

const unit = (origin: string): string => (origin === 'array' ? ' items' : '');

function listValues(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_VALUES).map((value) => JSON.stringify(value) ?? String(value));
  const rest = values.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} or one of ${rest} more` : shown.join(' or ');
}

/** The faults of the only branch for this kind of value; with none or several such branches, one fault for the union. */
function describeUnion(
  issue: z.core.$ZodIssueInvalidUnion,
  keys: readonly PropertyKey[],
  path: string,
): Description[] {
  if ('options' in issue && issue.options !== undefined) {
    return [{ path, message: `must be ${listValues(issue.options)}` }];
  }
  const fitting = issue.errors.filter((branch) => !branch.some(isOfOtherKind));
  const [branch, ...others] = fitting;
  if (branch !== undefined && others.length === 0)
    return branch.flatMap((inner) => describeIssue(inner, keys));
  return [{ path, message: 'has none of the shapes that are allowed here' }];
}

const isOfOtherKind = (issue: Issue): boolean => issue.code === 'invalid_type' && issue.path.length === 0;
