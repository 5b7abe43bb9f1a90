import type { HttpAnswer } from './send-request.ts';

/** Notices are short; texts of operators are not looked through. */
const MAX_LENGTH = 65_536;
const NOTICE =
  /점검|서비스 ?(?:일시 ?)?중단|일시 ?중단|maintenance|service (?:is )?(?:temporarily )?unavailable/iu;
/** What only the account's owner can do something about: `보안 점검을 위해 비밀번호를 변경`. */
const ACCOUNT = /비밀번호|패스워드|계정|아이디|인증|captcha|password|account/iu;

/**
 * True for a page, a text or JSON without content that says that the operator is at work on its service, and for a redirect
 * to an address that says so.
 */
export function saysMaintenance({ status, headers, body }: HttpAnswer): boolean {
  const location = status >= 300 && status < 400 ? headers.get('location') : null;
  if (location !== null) return NOTICE.test(decoded(location)) && !ACCOUNT.test(decoded(location));
  if (body.length > MAX_LENGTH || !NOTICE.test(body) || ACCOUNT.test(body)) return false;
  try {
    return !hasContent(JSON.parse(body));
  } catch {
    return true;
  }
}

function decoded(location: string): string {
  try {
    return decodeURIComponent(location);
  } catch {
    return location;
  }
}

function hasContent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || Object.values(value).some(isFilled);
}

function isFilled(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
