import { HttpProblem } from '../problem/http-problem.ts';
import type { Exchange } from './exchange.ts';
import { comparedHost } from './hosts.ts';

/** Longest URL (path and query) in bytes; URLs are ASCII (protocol section 10). */
export const MAX_URL_BYTES = 8_192;

const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';
const FILTER_PARAMETER = /[?&]filter=/;
const SORT_PARAMETER = /[?&]sort=/;
const CURSOR_VALUE = /(?<=[?&]cursor=)[^&]*/;

/** Header fields of answers to OPTIONS. */
export const OPTIONS_HEADERS = { Allow: ALLOWED_METHODS } as const;

/** @throws HttpProblem method-not-allowed */
export function checkMethod({ method }: Exchange): void {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return;
  throw HttpProblem.of('method-not-allowed', `Use one of ${ALLOWED_METHODS}.`, OPTIONS_HEADERS);
}

/** @throws HttpProblem invalid-request if the request is for a host that is not served here */
export function checkHost({ host }: Exchange, hosts: ReadonlySet<string> | undefined): void {
  if (hosts !== undefined && !hosts.has(comparedHost(host))) {
    throw HttpProblem.of(
      'invalid-request',
      'This host is not served here: use the URLs of the discovery document.',
    );
  }
}

/** @throws HttpProblem invalid-filter for a long URL with a filter, otherwise invalid-request */
export function checkUrlLength({ path, search }: Exchange, isList: boolean): void {
  if (path.length + search.length <= MAX_URL_BYTES) return;
  const detail = `The URL is longer than ${MAX_URL_BYTES} bytes.`;
  throw HttpProblem.of(
    isList && FILTER_PARAMETER.test(search) ? 'invalid-filter' : 'invalid-request',
    detail,
  );
}

/**
 * Checks that the next page can be requested: its URL repeats the query and adds the cursor, which contains the sort values.
 * @throws HttpProblem invalid-sort if these make the URL too long, invalid-filter if the filter does
 */
export function checkNextUrlLength({ path, search }: Exchange, cursor: string): void {
  if (path.length + search.length + '&cursor='.length + cursor.length <= MAX_URL_BYTES) return;
  const next = CURSOR_VALUE.test(search)
    ? search.replace(CURSOR_VALUE, cursor)
    : `${search}${search === '' ? '?' : '&'}cursor=${cursor}`;
  if (path.length + next.length <= MAX_URL_BYTES) return;
  const isSorted = SORT_PARAMETER.test(search) && cursor.length > next.length / 2;
  const advice = isSorted ? 'sort by fewer fields' : 'shorten the filter';
  throw HttpProblem.of(
    isSorted ? 'invalid-sort' : FILTER_PARAMETER.test(search) ? 'invalid-filter' : 'invalid-request',
    `There are more pages, and the URL of the next would be longer than ${MAX_URL_BYTES} bytes with its cursor: ${advice}.`,
  );
}

/** @throws HttpProblem invalid-request if the request has a body */
export function checkNoBody({ c }: Exchange): void {
  const length = c.req.header('content-length');
  if ((length === undefined || length === '0') && c.req.header('transfer-encoding') === undefined) return;
  throw HttpProblem.of('invalid-request', 'Send no body with this method.');
}
