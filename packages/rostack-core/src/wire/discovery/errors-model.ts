import { literal, object, uniqueArray, type ValueOf } from '../model/model.ts';
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

const someOperation = { emptyFault: 'must name at least one operation' };

const someError = { emptyFault: 'must declare at least one error' };

/** Each type and each code occurs at most once, which is a cross-field check. */
export const errorsModel = object({
  http: uniqueArray(
    object({
      type: literal(...PROBLEM_SLUGS.map((slug): ProblemTypeUri => problemTypeUri(slug))),
      operations: uniqueArray(literal(...HTTP_OPERATIONS), someOperation),
    }),
    someError,
  ),
  websocket: uniqueArray(
    object({
      code: literal(...WEBSOCKET_ERROR_CODES),
      operations: uniqueArray(literal(...WEBSOCKET_OPERATIONS), someOperation),
    }),
    someError,
  ),
});

/** Which failures an implementation may send, and where; it may send no others. */
export type ErrorDeclaration = ValueOf<typeof errorsModel>;
