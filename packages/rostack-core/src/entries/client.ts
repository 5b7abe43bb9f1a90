export { defineErrors } from '../text/define-error.ts';
export { hasCode } from '../text/has-code.ts';
export { jsonEquals, parseTrustedJson, recordIdText } from '../text/json.ts';
export { isLoopback } from '../text/loopback.ts';
export {
  aBoolean,
  aFunction,
  anInteger,
  anObject,
  aSignal,
  aString,
  checksOf,
  expecting,
  type GivenOptions,
  guardObserver,
  ignoreRejection,
  listOf,
  type Option,
  type OptionValues,
  objectWith,
  oneOf,
  option,
  optional,
  optionsOf,
  withDefaults,
  withSubstitute,
} from '../text/options/option-check.ts';
export { parseStrictJson } from '../text/strict-json/parse-strict-json.ts';
export { parseCollection } from '../wire/collection/parse-collection.ts';
export { SHARED_TOKEN_SCHEME } from '../wire/discovery/authentication-model.ts';
export { detectRelease, parseDiscovery } from '../wire/discovery/parse-discovery.ts';
export { JSON_MEDIA_TYPE } from '../wire/discovery/resource-model.ts';
export { decodeCompactEvent } from '../wire/message/compact-event-codec.ts';
export { parseServerMessage } from '../wire/message/parse-server-message.ts';
export { parseProblem } from '../wire/problem/problem.ts';
export { PROBLEM_MEDIA_TYPE, problemSlug } from '../wire/problem/problem-types.ts';
export { DISCOVERY_PATH, SPEC_BASE_URL, SUBPROTOCOL } from '../wire/release/release.ts';
export { CLOSE_CODES, WEBSOCKET_ERRORS } from '../wire/websocket-error/websocket-errors.ts';
