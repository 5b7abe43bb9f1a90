import {
  closed,
  failure,
  INTERNAL,
  isObject,
  parse,
  recoded,
  server,
  subscribed,
  textIn,
  withMembers,
} from './frames.ts';
import type { GatewayMutant } from './gateway-mutant.ts';

const AUTHENTICATED = {
  type: 'authenticated',
  method: 'shared_token',
  protocol_version: 'rostack_v1',
  api_version: '1',
  principal_id: 'p',
};

export const AUTHENTICATION: Readonly<Record<string, GatewayMutant>> = {
  'no subprotocol is chosen': {
    fails: ['ws.subprotocol'],
    checks: ['follows.upgrade'],
    subprotocol: false,
    frames: () => ({}),
  },
  'the api_version is another one': {
    fails: ['version.api'],
    checks: ['follows.authentication'],
    frames: server('authenticated', (message) => withMembers(message, { api_version: '7' })),
  },
  'principal ids change': {
    fails: ['auth.principal.stable'],
    checks: ['follows.authentication'],
    frames: server('authenticated', (message) => withMembers(message, { principal_id: crypto.randomUUID() })),
  },
  'principal ids are tokens': {
    fails: ['auth.principal.opaque'],
    checks: ['follows.authentication'],
    frames: () => {
      let token = '';
      return {
        fromClient: (text) => {
          const message = parse(text);
          token = isObject(message) ? textIn(message['token'] ?? token) : token;
          return [text];
        },
        fromServer: (text) => {
          const message = parse(text);
          const isOne = isObject(message) && message['type'] === 'authenticated';
          return [isOne ? JSON.stringify({ ...message, principal_id: token }) : text];
        },
      };
    },
  },
  'authenticated has an unknown member': {
    fails: ['release.messages', 'ws.closed'],
    checks: ['follows.authentication'],
    frames: server('authenticated', (message) => ({ ...message, hello: 'world' })),
  },
  'authenticated has no protocol_version': {
    fails: ['release.messages', 'ws.message.authenticated'],
    checks: ['follows.authentication'],
    frames: server('authenticated', (message) => withMembers(message, { protocol_version: undefined })),
  },
  'a silent connection is left open': {
    fails: ['ws.auth.timeout'],
    checks: ['follows.authentication'],
    patience: 0.2,
    frames: closed(4408, undefined),
  },
  'a silent connection is closed with 4400': {
    fails: ['ws.close.4408'],
    checks: ['follows.authentication'],
    frames: closed(4408, 4400),
  },
  'a silent connection is closed with a code of its own': {
    fails: ['ws.close.4408', 'ws.close-codes'],
    checks: ['follows.authentication'],
    frames: closed(4408, 4999),
  },
  'the first message of another type is closed with 4408': {
    fails: ['ws.close.4401'],
    checks: ['follows.authentication'],
    frames: closed(4401, 4408),
  },
  'subscriptions count before authenticated': {
    fails: ['ws.auth.first', 'auth.not-in-urls', 'auth.not-in-subprotocols'],
    checks: ['follows.authentication', 'follows.upgrade'],
    frames: () => ({
      reply: (text) => (text.includes('"early"') ? [JSON.stringify(subscribed('early', false))] : []),
      fromClient: (text) => (text.includes('"early"') ? [] : [text]),
    }),
  },
  'methods that are not offered count': {
    fails: ['auth.offered-only'],
    checks: ['follows.authentication'],
    frames: () => ({
      reply: (text) => (text.includes('"oauth2"') ? [JSON.stringify(AUTHENTICATED)] : []),
      fromClient: (text) => (text.includes('"oauth2"') ? [] : [text]),
    }),
  },
  'wrong credentials are internal errors': {
    fails: ['err.ws.code.authentication_failed'],
    checks: ['follows.authentication'],
    frames: recoded('authentication_failed', INTERNAL),
  },
  'a replacement that is wrong is an internal error': {
    fails: ['err.ws.code.authentication_failed', 'ws.auth.again-rejected'],
    checks: ['follows.reauthentication'],
    frames: recoded('authentication_failed', INTERNAL),
  },
  'another principal may take over': {
    fails: ['err.ws.code.reauthentication_identity_mismatch', 'ws.auth.again-same'],
    checks: ['follows.reauthentication'],
    frames: server('error', (error) =>
      error['code'] === 'reauthentication_identity_mismatch' ? AUTHENTICATED : error,
    ),
  },
  'subscriptions end with another credential': {
    fails: ['ws.auth.again'],
    checks: ['follows.reauthentication'],
    frames: () => {
      let answers = 0;
      return {
        fromServer: (text) => {
          const message = parse(text);
          if (!isObject(message) || message['type'] !== 'subscribed') return [text];
          answers += 1;
          return [answers === 2 ? JSON.stringify(failure('resource_not_found', 'kept')) : text];
        },
      };
    },
  },
};
