import type { MenuErrorCode } from '../domain/menu-error.ts';

/** A language that people are told failures in. */
export type FailureLanguage = 'en' | 'ko';

type Words = Readonly<Record<FailureLanguage, string>>;

const SILENT: Words = { en: 'the operator did not answer in time', ko: '운영사 응답이 늦음' };
const UNREADABLE: Words = {
  en: 'the operator’s answer could not be understood',
  ko: '운영사 응답에 문제가 있음',
};
const NO_LOGIN: Words = { en: 'the login at the operator failed', ko: '운영사에 로그인하지 못함' };
const UNKNOWN: Words = { en: 'the reason is unknown', ko: '원인을 알 수 없음' };

/** Of every code that a list of restaurants, a meal or a bundle can be missing for. */
const WORDS: Readonly<Partial<Record<MenuErrorCode, Words>>> = {
  catalogue_unavailable: {
    en: 'the operator’s list of restaurants has not been read yet',
    ko: '식당 목록을 아직 불러오지 못함',
  },
  deadline_exceeded: SILENT,
  not_read_yet: { en: 'it is still being read', ko: '불러오는 중' },
  operator_unreachable: { en: 'the operator could not be reached', ko: '운영사에 연결하지 못함' },
  operator_timeout: SILENT,
  operator_rate_limited: { en: 'the operator asked for fewer requests', ko: '운영사에 요청이 몰림' },
  operator_unavailable: { en: 'the operator’s server has a problem', ko: '운영사 서버에 문제가 있음' },
  operator_refused: { en: 'the operator refused the request', ko: '운영사가 요청을 거절함' },
  operator_answer_empty: UNREADABLE,
  operator_answer_invalid: UNREADABLE,
  operator_answer_too_large: UNREADABLE,
  session_rejected: NO_LOGIN,
  login_refused: {
    en: 'the operator refused the login, which somebody has to mend',
    ko: '운영사가 계정을 거절해 담당자 확인이 필요함',
  },
  operator_maintenance: { en: 'the operator is under maintenance', ko: '운영사 점검 중' },
  circuit_open: {
    en: 'the operator failed several times and is left alone for a moment',
    ko: '운영사가 계속 응답하지 않아 잠시 쉬는 중',
  },
  store_unavailable: { en: 'the cache of this server could not be read', ko: '저장소에 문제가 있음' },
};

/** Why something could not be read, for people: the code of a failure in words, to stand in a sentence. */
export function failureWords(code: string | undefined, language: FailureLanguage): string {
  return (WORDS[code as MenuErrorCode] ?? UNKNOWN)[language];
}
