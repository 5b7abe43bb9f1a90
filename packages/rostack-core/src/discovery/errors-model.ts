import { z } from 'zod';
import { notEmpty, uniqueArray } from '../model/constraints.ts';
import { PROBLEM_SLUGS, type ProblemTypeUri, problemTypeUri } from '../problem/problem-types.ts';
import { WEBSOCKET_ERROR_CODES } from '../websocket-error/websocket-errors.ts';

/** What a client can do over HTTP, as the `errors` declaration names it. */
export const HTTP_OPERATIONS = ['discovery', 'list', 'get'] as const;

/** `discovery`, `list` or `get`. */
export type HttpOperation = (typeof HTTP_OPERATIONS)[number];

/** What happens on a gateway connection, as the `errors` declaration names it. */
export const WEBSOCKET_OPERATIONS = ['authenticate', 'subscribe', 'subscription', 'session'] as const;

/** `authenticate`, `subscribe`, `subscription` (a running one) or `session` (the connection). */
export type WebSocketOperation = (typeof WEBSOCKET_OPERATIONS)[number];

const NO_OPERATION = 'must name at least one operation';

const NO_ERROR = 'must declare at least one error';

/** Each type and each code occurs at most once, which is a cross-field check. */
export const errorsModel = z.strictObject({
  http: uniqueArray(
    z.strictObject({
      type: z.enum(PROBLEM_SLUGS.map((slug): ProblemTypeUri => problemTypeUri(slug))),
      operations: uniqueArray(z.enum(HTTP_OPERATIONS)).check(notEmpty(NO_OPERATION)),
    }),
  ).check(notEmpty(NO_ERROR)),
  websocket: uniqueArray(
    z.strictObject({
      code: z.enum(WEBSOCKET_ERROR_CODES),
      operations: uniqueArray(z.enum(WEBSOCKET_OPERATIONS)).check(notEmpty(NO_OPERATION)),
    }),
  ).check(notEmpty(NO_ERROR)),
});

/** Which failures an implementation may send, and where; it may send no others. */
export type ErrorDeclaration = z.infer<typeof errorsModel>;
