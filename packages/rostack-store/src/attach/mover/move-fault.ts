import { TAKES_NO_WRITES } from '../../drivers/postgres/statement/failure.ts';

const MAX_CAUSES = 5;
/** SQLSTATE, and codes of SQLite and of the operating system, such as `ECONNREFUSED`. */
const CODE = /^(?:[A-Z][A-Z0-9_]{3,40}|[0-9A-Z]{5})$/;

/** What operators can do, by SQLSTATE, its class, or the operating system's code. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['42501', 'a privilege is missing: grant it to the role of the store URL'],
  ['28', 'the role of the store URL may not log in: allow it, or correct the URL'],
  ['3D', 'the database of the store URL is not there: correct the URL'],
  ['53300', 'there are too many connections: raise the limit, or lower max_connections'],
  ['53', 'the server is out of disk, memory or connections: make room'],
  ['57014', 'it takes too long: end the transaction that locks the table or its inbox'],
  ['55P03', 'it takes too long: end the transaction that locks the table or its inbox'],
  ['57P', 'the server is stopping, starting, or has ended the connection: see its log'],
  ['08', 'the server cannot be reached: start it, or repair the network'],
  ['ECONN', 'the server cannot be reached: start it, or repair the network'],
  ['ENOTFOUND', 'the host of the store URL is unknown: correct the URL, or repair the name service'],
  ['EAI_AGAIN', 'the name service does not answer: repair it'],
  ['EHOSTUNREACH', 'the server cannot be reached: start it, or repair the network'],
  ['ENETUNREACH', 'the server cannot be reached: start it, or repair the network'],
  ['ETIMEDOUT', 'the server cannot be reached: start it, or repair the network'],
  ['EPIPE', 'the server cannot be reached: start it, or repair the network'],
  ['CERT_HAS_EXPIRED', 'the certificate of the server has expired: renew it'],
  ['SQLITE_BUSY', 'it takes too long: end the transaction that locks the file'],
  ['SQLITE_FULL', 'the disk is full: make room'],
  [
    'SQLITE_READONLY',
    'the file may not be written, or was moved or replaced: make it writable, or put it back',
  ],
  ['SQLITE_CANTOPEN', 'the file or its folder cannot be opened: grant access'],
  ['SQLITE_IOERR', 'the disk or its file system fails: see the system log'],
  ['SQLITE_CORRUPT', 'the file is damaged: restore a backup'],
  ['SQLITE_NOTADB', 'the file is damaged: restore a backup'],
  ['42P01', 'a table of the store is gone: restore it, or run attach'],
  ['XX', 'the server reports damaged data, or an error of its own: see its log'],
  ['25006', TAKES_NO_WRITES],
]);

/** Prefixes of the codes of failures that do not depend on the number of rows: a lock, an unreachable server, a missing privilege. */
const NOT_OF_SIZE = [
  'SQLITE_BUSY',
  'SQLITE_READONLY',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  '25006',
  '28',
  '3D',
  '42501',
  '53300',
  '55P03',
  '57P03',
];

/** Codes for errors of PostgreSQL's driver that have none. */
const UNCODED: readonly (readonly [RegExp, string])[] = [
  [/\btimeout\b|^no answer in time$/, 'ETIMEDOUT'],
  [/^(?:Connection terminated|Client (?:was closed|has encountered a connection error))/, 'ECONNRESET'],
];

/** Why rows cannot be moved now. */
export interface MoveFault {
  /** Code of the innermost cause that has one. */
  readonly code: string | undefined;
  /** What is wrong and what to do, without the server's message; undefined if only that message is known. */
  readonly advice: string | undefined;
  /** What is wrong and what to do, for the log. */
  readonly reason: string;
}

/** Finds the cause behind an error of the store. */
export function moveFaultOf(error: unknown): MoveFault {
  let code: string | undefined;
  let message = String(error);
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth += 1) {
    message = cause.message || message;
    if ('code' in cause && typeof cause.code === 'string' && CODE.test(cause.code))
      ({ code } = cause as { code: string });
    cause = cause.cause;
  }
  code ??= UNCODED.find(([said]) => said.test(message))?.[1];
  const advice = code === undefined ? undefined : adviceFor(code);
  const said = code === undefined ? message : `${message} (${code})`;
  return { code, advice, reason: advice === undefined ? said : `${advice}: ${said}` };
}

/** Whether too many rows at once may have caused the failure. */
export function isPerhapsOfSize(error: unknown): boolean {
  const { code } = moveFaultOf(error);
  return !NOT_OF_SIZE.some((beginning) => code?.startsWith(beginning) === true);
}

function adviceFor(code: string): string | undefined {
  const lengths = Array.from({ length: code.length - 1 }, (_, index) => code.length - index);
  return lengths.map((length) => ADVICE.get(code.slice(0, length))).find((found) => found !== undefined);
}
