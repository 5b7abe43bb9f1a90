export { parseCollection } from '../collection/parse-collection.ts';
export { SHARED_TOKEN_SCHEME } from '../discovery/authentication-model.ts';
export { detectRelease, parseDiscovery } from '../discovery/parse-discovery.ts';
export { JSON_MEDIA_TYPE } from '../discovery/resource-model.ts';
export { hasCode } from '../error/has-code.ts';
export { jsonEquals } from '../json/json.ts';
export { decodeCompactEvent } from '../message/compact-event-codec.ts';
export { parseServerMessage } from '../message/parse-server-message.ts';
export { disarmPromise, guardObserver } from '../options/guard-observer.ts';
export {
  aBoolean,
  aFunction,
  anObject,
  aSignal,
  aText,
  expecting,
  listOf,
  objectWith,
  oneOf,
  optional,
  optionsOf,
  wholeNumber,
} from '../options/option-check.ts';
export { parseProblem } from '../problem/problem.ts';
export { PROBLEM_MEDIA_TYPE, problemSlug } from '../problem/problem-types.ts';
export { recordIdText } from '../record/record-id.ts';
export { DISCOVERY_PATH, SPEC_BASE_URL, SUBPROTOCOL } from '../release/release.ts';
export { parseStrictJson } from '../strict-json/parse-strict-json.ts';
export { parseTrustedJson } from '../strict-json/parse-trusted-json.ts';
export { CLOSE_CODES, WEBSOCKET_ERRORS } from '../websocket-error/websocket-errors.ts';
