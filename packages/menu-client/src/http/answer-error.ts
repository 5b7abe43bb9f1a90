import { OperatorError } from '../domain/menu-error.ts';
import type { Vendor } from '../domain/restaurant.ts';
import type { HttpAnswer } from './send-request.ts';

/** What a status outside 200 to 299 means; undefined for one inside. Sessions are up to each operator's code. */
export function statusError(
  vendor: Vendor,
  answer: Pick<HttpAnswer, 'status' | 'headers'>,
  nowMs: number,
): OperatorError | undefined {
  const { status } = answer;
  if (status >= 200 && status < 300) return undefined;
  const message = `The operator answered ${status}.`;
  const retryAfterMs = parseRetryAfter(answer.headers.get('retry-after'), nowMs);
  const options = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (status === 429) return new OperatorError(vendor, 'operator_rate_limited', message, options);
  if (status >= 500) return new OperatorError(vendor, 'operator_unavailable', message, options);
  return new OperatorError(vendor, 'operator_refused', message);
}

/** True for a page instead of JSON, by its first character, since JSON is also sent as `text/html`. */
export function isHtml(answer: HttpAnswer): boolean {
  return /^\s*</.test(answer.body);
}

/** @throws OperatorError `operator_answer_empty`, `operator_answer_invalid` */
export function parseJson(vendor: Vendor, answer: HttpAnswer): unknown {
  if (answer.body.trim() === '') {
    throw new OperatorError(vendor, 'operator_answer_empty', 'The answer has no body.');
  }
  if (!answer.isUtf8) {
    throw new OperatorError(vendor, 'operator_answer_invalid', 'The answer is not UTF-8.');
  }
  try {
    return JSON.parse(answer.body);
  } catch {
    throw new OperatorError(vendor, 'operator_answer_invalid', 'The answer is not JSON.');
  }
}

/** An operator that asks for more may not know when it will be back. */
export const MAX_RETRY_AFTER_MS = 3_600_000;

/** @see RFC 9110 section 10.2.3 */
function parseRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined;
  const delayMs = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isNaN(delayMs) ? undefined : Math.min(Math.max(0, delayMs), MAX_RETRY_AFTER_MS);
}
