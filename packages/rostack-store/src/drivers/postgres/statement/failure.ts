/** An error that a PostgreSQL server answered with; `code` is its SQLSTATE. */
export interface PostgresFailure extends Error {
  readonly code?: string | undefined;
  readonly severity: string;
}

/** Only errors that a server sent have a severity; a lost connection has none. */
export function isPostgresFailure(error: unknown): error is PostgresFailure {
  return error instanceof Error && 'severity' in error && typeof error.severity === 'string';
}

/** A query failed; distinguishes the database's failures from errors that the unit of work itself throws. */
export class QueryFailure extends Error {
  override readonly name = 'QueryFailure';

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** A query failed because of the query before it on the same connection. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';

  constructor() {
    super('a query before it on the same connection failed');
  }
}

/** Classes of SQLSTATE that mean a mistake in our own statements. All others, and errors without one, are temporary. */
const OWN_MISTAKES: ReadonlySet<string> = new Set(['0A', '21', '22', '23', '25', '26', '34', '42']);

const INSUFFICIENT_PRIVILEGE = '42501';
const READ_ONLY = '25006';

/** The states of those classes that the server causes: a standby, a transaction that was idle for too long, a lost privilege. */
const OF_THE_SERVER: ReadonlySet<string> = new Set([READ_ONLY, '25P03', INSUFFICIENT_PRIVILEGE]);

/** Whether the database cannot be reached or cannot answer now: connection lost, overloaded, over a time limit. */
export function isUnavailable({ cause }: QueryFailure): boolean {
  if (!isPostgresFailure(cause)) return true;
  const { code = '' } = cause;
  return OF_THE_SERVER.has(code) || !OWN_MISTAKES.has(code.slice(0, 2));
}

/** Whether the role lacks a privilege: `42501`. */
export function isForbidden(cause: unknown): boolean {
  return isPostgresFailure(cause) && cause.code === INSUFFICIENT_PRIVILEGE;
}

/** The reason of a failed query, for operators. */
export function reasonOf({ message, cause }: QueryFailure): string {
  if (isForbidden(cause))
    return `the role of the store URL may not do this: ${message}${missingGrant(message)}`;
  return isPostgresFailure(cause) && cause.code === READ_ONLY ? `${TAKES_NO_WRITES}: ${message}` : message;
}

/** What the server's denial means; it does not name the privilege. */
const GRANTS: Readonly<Record<string, string>> = {
  database: 'create',
  schema: 'usage, create',
  table: 'select, or all if it is one of the store',
  sequence: 'usage',
  function: 'execute',
};

function missingGrant(message: string): string {
  const [, kind = ''] = /^permission denied for (\w+) /.exec(message) ?? [];
  const privileges = GRANTS[kind];
  return privileges === undefined ? '' : `; grant it ${privileges}`;
}

/** The message for `25006`. */
export const TAKES_NO_WRITES =
  'the database takes no writes: default_transaction_read_only is on for the role, the database or the server (some hosts do so when the disk is full), or it is a replica; reset the setting, or use the URL of the primary';

/** Whether a retry may succeed: serialization failure, deadlock, another query's fault. */
export function isRepeatable({ cause }: QueryFailure): boolean {
  if (cause instanceof InterruptedError) return true;
  return isPostgresFailure(cause) && (cause.code === '40001' || cause.code === '40P01');
}

/** Whether a prepared statement was missing in the session that got the query, or existed there already: `26000`, `42P05`. */
export function isMixedUp({ cause }: QueryFailure): boolean {
  return isPostgresFailure(cause) && (cause.code === '26000' || cause.code === '42P05');
}
