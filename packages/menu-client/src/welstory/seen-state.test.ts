import { expect, test } from 'vitest';
import { asSeen } from './seen-state.ts';

test('nothing of a session has happened later than when it was seen, whatever the clock was that wrote it', () => {
  const session = { token: 'a', deviceId: 'b', worked: true, loggedInAtMs: 2_000, givenAtMs: 3_000 };
  const written = { savedAtMs: 0, useless: 0, session: { ...session, provenAtMs: 4_000 } };
  const seen = { loggedInAtMs: 1_000, givenAtMs: 1_000, provenAtMs: 1_000 };
  expect(asSeen(written, 1_000).session).toEqual({ ...session, ...seen });
  expect(asSeen(written, 5_000)).toEqual(written);
});
