import { type JsonValue, RELEASES, type Release } from 'rostack-core';
import { describe, expect, test } from 'vitest';
import { FRAME_REQUIREMENTS, judgeFrame } from './judge-frame.ts';
import { readMessage } from './seen-message.ts';

const EVENT = {
  type: 'event',
  subscription_id: 's',
  event_id: 'e1',
  cursor: 'c1',
  occurred_at: '2026-08-13T09:00:00.000Z',
  event_type: 'station.created',
  resource_id: 'a',
  resource_version: 'v1',
};
const COMPACT = ['e', 's', 'e1', 'c1', 0, 'station.created', 'a', 'v1'];
const ERROR = { type: 'error', code: 'internal_error', message: 'Something failed.', retryable: true };

function judge(frame: string, release: Release = '2026-08-13') {
  let value: JsonValue | undefined;
  try {
    value = JSON.parse(frame) as JsonValue;
  } catch {
    value = undefined;
  }
  const declaredCodes =
    release === '2026-08-13' ? new Set(['internal_error', 'rate_limited', 'invalid_message']) : undefined;
  return judgeFrame(frame, readMessage(value, 0, 0), { release, declaredCodes });
}

const textOf = (frame: unknown) => (typeof frame === 'string' ? frame : JSON.stringify(frame));

const brokenIds = (frame: unknown, release?: Release) =>
  judge(textOf(frame), release).broken.map(({ id }) => id);

describe('a frame of a server', () => {
  test.each(RELEASES)('of %s that is right breaks nothing', (release) => {
    for (const frame of [
      EVENT,
      { ...EVENT, detail_url: 'https://host.example/a', data: null },
      COMPACT,
      [...COMPACT, 'https://host.example/a', { id: 'a' }],
      [...COMPACT, null, null],
      ERROR,
      { type: 'pong', id: '1' },
      { type: 'go_away', reason: 'r', reconnect_after_ms: 1, drain_timeout_ms: 1 },
    ]) {
      expect(brokenIds(frame, release)).toEqual([]);
    }
  });

  test.each<[string, unknown, readonly string[]]>([
    ['no JSON', '{', ['ws.frames']],
    ['a type of the client', { type: 'unsubscribe', subscription_id: 's' }, ['ws.messages.eleven']],
    ['no type', {}, ['ws.messages.eleven']],
    ['an unknown member', { type: 'pong', id: '1', extra: true }, ['ws.closed']],
    ['a pong without id', { type: 'pong' }, ['ws.message.pong']],
    ['an event without cursor', { ...EVENT, cursor: undefined }, ['ws.message.event']],
    ['a leap second', { ...EVENT, occurred_at: '2016-12-31T23:59:60Z' }, ['ws.rule.date_time_valid']],
    ['a URL with a user', { ...EVENT, detail_url: 'https://a:b@host.example/' }, ['ws.rule.url_usable']],
    ['a compact event that is too short', COMPACT.slice(0, 7), ['ws.compact.shape']],
    ['compact data in the place of the URL', [...COMPACT, { id: 'a' }], ['ws.compact.data-after-url']],
    [
      'a drain that is too short',
      { type: 'go_away', reason: 'r', reconnect_after_ms: 2, drain_timeout_ms: 1 },
      ['ws.rule.drain_covers_reconnect'],
    ],
    ['another retryable', { ...ERROR, retryable: false }, ['err.ws.retryable']],
    ['a wait where there is none', { ...ERROR, retry_after_ms: 1 }, ['err.ws.retry-after']],
    ['no wait where there is one', { ...ERROR, code: 'rate_limited' }, ['err.ws.retry-after']],
    [
      'no subscription',
      { ...ERROR, code: 'cursor_unavailable', retryable: false },
      ['err.ws.subscription-id', 'err.ws.undeclared-never-sent'],
    ],
    [
      'a subscription too many',
      { ...ERROR, code: 'invalid_message', retryable: false, subscription_id: 's' },
      ['ws.rule.subscription_id_fits_code'],
    ],
    ['an empty subscription', { ...ERROR, subscription_id: '' }, ['ws.rule.subscription_id_given']],
    [
      'a code of its own',
      { ...ERROR, code: 'too_bad' },
      ['ws.message.error', 'err.ws.undeclared-never-sent'],
    ],
    ['an undeclared code', { ...ERROR, code: 'authentication_failed' }, ['err.ws.undeclared-never-sent']],
  ])('with %s breaks its requirement', (_, frame, ids) => {
    expect(brokenIds(frame).filter((id) => id !== 'release.messages')).toEqual(ids);
    expect(ids.filter((id) => !FRAME_REQUIREMENTS.some((each) => each === id))).toEqual([]);
    expect(judge(textOf(frame)).kept.filter((id) => ids.includes(id))).toEqual([]);
  });

  test('that is no valid message breaks that requirement too, once', () => {
    expect(brokenIds({ type: 'pong', x: 1 })).toEqual(['ws.message.pong', 'ws.closed', 'release.messages']);
    expect(judge(JSON.stringify(EVENT)).kept).toContain('release.messages');
  });

  test('of 2026-08-12 may have any error code', () => {
    expect(brokenIds({ ...ERROR, code: 'too_bad' }, '2026-08-12')).toEqual([]);
  });
});
