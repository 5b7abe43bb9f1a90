import { z } from 'zod';
import { VENDORS } from '../catalogue/restaurant.ts';

/** Everything that can go wrong on demand. */
export const FAULTS = {
  slow: 'answers after delayMs (3,000 by default)',
  hang: 'never answers',
  reset: 'resets the connection instead of answering',
  truncated: 'closes the connection in the middle of the body',
  'rate-limited': '429 with Retry-After: 1',
  'server-error': '500',
  unavailable: '503 with Retry-After: 1',
  unauthorized: '401',
  forbidden: '403',
  'empty-body': '200 with no body',
  html: '200 with a page for people, as when the session is gone',
  malformed: '200 with text that is not JSON',
  oversized: '200 with the right JSON followed by 4 MiB of spaces',
  'data-null': 'the member that holds the answer is null',
  'wrong-types': 'some members have another type',
  'missing-members': 'some members are missing',
  'unknown-members': 'members that no client knows',
  'session-expired': 'welstory: every token issued so far is refused',
  'session-malformed': 'welstory: GET /session answers without a usable token',
  'tree-wrapped': 'shinsegae: the tree comes inside ds, resultList, data or list',
  'tree-moved': 'shinsegae: the tree changes, so every orgTreeId does',
  'foreign-photo-host': 'shinsegae: photos are at http://planeatchoice.net',
  'ds-missing': 'shinsegae: a meal without menus has no ds, or null',
  'menus-empty': 'shinsegae: a meal is said to have no menus',
  'meals-missing': 'shinsegae: the times have no mealData',
  'numeric-codes': 'codes are numbers',
  'unknown-meal-code': 'lunch has the code 20',
  'item-code-missing': 'shinsegae: items have no itemCd',
  'item-seq-missing': 'shinsegae: items have no itemSeq',
  'large-tree': 'shinsegae: the tree has 12 MiB',
  'no-envelope': 'welstory: the list itself, or what holds it, without data around it',
  'course-type-missing': 'welstory: rows have no menuCourseType',
  'items-failed': 'welstory: 500 where the items of a bundle, or the nutrition of dishes, are asked for',
  'items-empty': 'welstory: an empty list of items',
  'items-repeat': 'welstory: a bundle has no item but its own name with only zeros',
  'login-redirect': 'welstory: the login leads on, with the token in the redirect',
  'login-without-token':
    'welstory: the login is answered with 200 and no token, as for a password that has expired',
  maintenance: 'welstory: a page for people, whatever the token; the login works',
  'json-as-html': 'the right JSON, sent as text/html',
  redirect: 'leads to the answer by a redirect on the same origin',
  'address-blocked': '403 for requests from 127.0.0.1, as for an address that asked too much',
  'address-limited': '429 with Retry-After: 60 for requests from 127.0.0.1',
  'photo-untyped': 'photos have no content type',
  'photo-referer':
    'welstory: photos are refused without the Referer of its page and the User-Agent of a browser',
} as const satisfies Record<string, string>;

/** A way in which an answer can go wrong: a key of `FAULTS`. */
export type Fault = keyof typeof FAULTS;

const faultSchema = z.enum(Object.keys(FAULTS) as [Fault, ...Fault[]]);

/** One rule: which fault is applied to which requests, and how often. */
export const faultRuleSchema = z.strictObject({
  fault: faultSchema,
  /** Both operators when absent. */
  operator: z.enum(VENDORS).optional(),
  /** Prefix of the operator's own path, e.g. `/api/meal`; every path when absent. */
  path: z.string().startsWith('/').optional(),
  /** Probability for each matching request, 0 to 1. @default 1 */
  rate: z.number().min(0).max(1).optional(),
  /** How many times at most. @default no limit */
  count: z.int().min(0).optional(),
  /** For `slow`, milliseconds. @default 3000 */
  delayMs: z.int().min(0).max(600_000).optional(),
});

/** Which requests get a fault, how often, and for how long. */
export type FaultRule = z.infer<typeof faultRuleSchema>;

export const faultRulesSchema = z.array(faultRuleSchema).max(200);
