import type { JsonObject } from 'rostack-core';
import { client, closed, recoded, server, withMembers } from './frames.ts';
import type { GatewayMutant } from './gateway-mutant.ts';

export const MESSAGES: Readonly<Record<string, GatewayMutant>> = {
  'unknown members are passed over': {
    fails: ['ws.closed'],
    checks: ['follows.malformed'],
    frames: () => ({
      fromClient: (text) => {
        if (!text.startsWith('{') || !text.endsWith('}')) return [text];
        const { extra: _, ...message } = JSON.parse(text) as JsonObject;
        return [text.includes('"extra"') ? JSON.stringify(message) : text];
      },
    }),
  },
  'messages of a server are taken': {
    fails: ['ws.messages.eleven'],
    checks: ['follows.malformed'],
    frames: () => ({
      reply: (text) =>
        /hello|replay_complete/.test(text) ? [JSON.stringify({ type: 'pong', id: 'taken' })] : [],
      fromClient: (text) => (/hello|replay_complete/.test(text) ? [] : [text]),
    }),
  },
  'a ping needs no id': {
    fails: ['err.ws.code.invalid_message'],
    checks: ['follows.malformed'],
    frames: client('ping', (message) => ({ id: 'none', ...message })),
  },
  'binary frames are passed over': {
    fails: ['ws.frames'],
    checks: ['follows.malformed'],
    patience: 0.05,
    frames: () => ({ takesBinary: false }),
  },
  'what is no message is closed with 4401': {
    fails: ['ws.close.4400'],
    checks: ['follows.malformed'],
    frames: closed(4400, 4401),
  },
  'errors are retryable as they like': {
    fails: ['release.messages', 'err.ws.retryable'],
    checks: ['follows.malformed'],
    frames: server('error', (error) => withMembers(error, { retryable: error['retryable'] !== true })),
  },
  'errors ask to wait for no reason': {
    fails: ['release.messages', 'err.ws.retry-after'],
    checks: ['follows.malformed'],
    frames: server('error', (error) => ({ ...error, retry_after_ms: 5 })),
  },
  'errors of the connection name a subscription': {
    fails: ['release.messages', 'ws.rule.subscription_id_fits_code'],
    checks: ['follows.malformed'],
    frames: server('error', (error) => ({ ...error, subscription_id: 's' })),
  },
  'errors name an empty subscription': {
    fails: ['release.messages', 'ws.rule.subscription_id_fits_code', 'ws.rule.subscription_id_given'],
    checks: ['follows.malformed'],
    frames: server('error', (error) => ({ ...error, subscription_id: '' })),
  },
  'errors have a code of their own': {
    fails: [
      'release.messages',
      'err.ws.code.invalid_message',
      'err.ws.undeclared-never-sent',
      'ws.closed',
      'ws.message.error',
      'ws.messages.eleven',
    ],
    checks: ['follows.malformed'],
    frames: recoded('invalid_message', { code: 'bad_message' }),
  },
  'encodings that nobody knows are json': {
    fails: ['ws.subscribe.encoding'],
    checks: ['follows.refusals'],
    frames: client('subscribe', (message) =>
      message['event_encoding'] === 'no-such-thing'
        ? withMembers(message, { event_encoding: 'json' })
        : message,
    ),
  },
};
