import type { MenuErrorCode } from 'menu-client';

const SILENT = 'the operator did not answer in time';
const UNREADABLE = 'the operator’s answer could not be understood';
const NO_LOGIN = 'the login at the operator failed';

const WORDS: Readonly<Partial<Record<MenuErrorCode, string>>> = {
  catalogue_unavailable: 'the operator’s list of restaurants has not been read yet',
  deadline_exceeded: SILENT,
  not_read_yet: 'it is still being read',
  operator_unreachable: 'the operator could not be reached',
  operator_timeout: SILENT,
  operator_rate_limited: 'the operator asked for fewer requests',
  operator_unavailable: 'the operator’s server has a problem',
  operator_refused: 'the operator refused the request',
  operator_answer_empty: UNREADABLE,
  operator_answer_invalid: UNREADABLE,
  operator_answer_too_large: UNREADABLE,
  session_rejected: NO_LOGIN,
  login_refused: 'the operator refused the login, which somebody has to mend',
  operator_maintenance: 'the operator is under maintenance',
  circuit_open: 'the operator failed several times and is left alone for a moment',
  store_unavailable: 'the cache of this server could not be read',
};

/** Why something could not be read, for people: the code of a failure in words. */
export function failureWords(code: string | undefined): string {
  return WORDS[code as MenuErrorCode] ?? 'the reason is unknown';
}
