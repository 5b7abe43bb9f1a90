import { z } from 'zod';
import { notEmpty } from '../model/not-empty.ts';
import { uniqueArray } from '../model/unique-array.ts';
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

/** Each type and each code stands at most once: a check of its own. */
export const errorsModel = z.strictObject({
  http: z.array(
    z.strictObject({
      type: z.enum(PROBLEM_SLUGS.map((slug): ProblemTypeUri => problemTypeUri(slug))),
      operations: uniqueArray(z.enum(HTTP_OPERATIONS)).check(notEmpty(NO_OPERATION)),
    }),
  ),
  websocket: z.array(
    z.strictObject({
      code: z.enum(WEBSOCKET_ERROR_CODES),
      operations: uniqueArray(z.enum(WEBSOCKET_OPERATIONS)).check(notEmpty(NO_OPERATION)),
    }),
  ),
});

/** The promise which failures an implementation may send where; nothing else may be sent. */
export type ErrorDeclaration = z.infer<typeof errorsModel>;
