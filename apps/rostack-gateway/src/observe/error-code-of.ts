/** Codes of databases and of the system, such as SQLITE_FULL, 53100 or ENOSPC. */
const OUTER_CODE = /^(?:[A-Z][A-Z0-9_]{3,40}|[0-9A-Z]{5})$/;
const MAX_CAUSES = 5;

/** The code of what is behind an error, in parentheses after a space; empty where there is none. Never its text, which may name hosts. */
export function errorCodeOf(error: unknown): string {
  let found = '';
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth += 1) {
    if ('code' in cause && typeof cause.code === 'string' && OUTER_CODE.test(cause.code))
      found = ` (${cause.code})`;
    cause = cause.cause;
  }
  return found;
}
