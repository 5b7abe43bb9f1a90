import { X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Accepts, limitConstants } from 'test-support/limit-constants';
import { afterEach, expect, test, vi } from 'vitest';
import { HostileServer, json } from '../../rostack-client/test/support/hostile-server.ts';
import { defineObservatory } from '../../rostack-client/test/support/observatory.ts';
import { certificate } from '../../rostack-client/test/support/trust.ts';
import { checkDiscovery } from '../src/doctor/check-discovery.ts';
import { checkTls } from '../src/doctor/check-network.ts';
import { MirrorStore } from '../src/mirror/mirror-store.ts';
import type { MirrorTarget } from '../src/mirror/mirror-target.ts';
import { Table } from '../src/records/output.ts';

afterEach(() => {
  vi.useRealTimers();
});

const honest = () => defineObservatory('https://data.example.com').discovery;

const discoveryUrlOf = ({ url }: HostileServer): URL => new URL('/.well-known/rostack', url);

/** A mirror whose target notes how many records each of its transactions had. */
function mirror() {
  const written: number[] = [];
  const target = { apply: async ({ records }) => void written.push(records.size) } as MirrorTarget;
  const store = new MirrorStore(target, 'k', () => {});
  const update = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      const put = { id: `r${index}`, record: {}, version: undefined };
      await store.update('k', { cursor: `c${index}`, eventId: undefined, put });
    }
  };
  return { store, written, update };
}

const LIMITS: Readonly<Record<string, readonly [limit: number, accepts: Accepts]>> = {
  'doctor/check-discovery.ts MAX_SHOWN_FAULTS': [
    5,
    async (faults) => {
      const unknown = Object.fromEntries(Array.from({ length: faults }, (_, index) => [`x${index}`, 1]));
      await using server = await HostileServer.start({
        discovery: (document) => ({ ...document, ...unknown }),
      });
      const { findings } = await checkDiscovery(discoveryUrlOf(server), undefined, '127.0.0.1:9');
      return findings[0]?.says.split('; ').filter((fault) => fault.includes('/x')).length === faults;
    },
  ],
  'doctor/check-clock.ts MAX_SKEW_MS': [
    30_000,
    async (skewMs) => {
      const serverMs = Date.parse('2026-08-14T00:00:00Z');
      await using server = await HostileServer.start({
        answerDiscovery: (_request, response) =>
          json(response.setHeader('date', new Date(serverMs).toUTCString()), 200, honest()),
      });
      vi.useFakeTimers({ toFake: ['Date'], now: serverMs + skewMs });
      const { findings } = await checkDiscovery(discoveryUrlOf(server), undefined, '127.0.0.1:9');
      return findings.find(({ check }) => check === 'clock')?.level === 'ok';
    },
  ],
  'doctor/check-network.ts MIN_DAYS_LEFT': [
    14,
    async (days) => {
      await using server = await HostileServer.start();
      const { validTo } = new X509Certificate((await certificate).cert);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(validTo) - days * 86_400_000 });
      return (await checkTls(new URL(server.url))).level === 'ok';
    },
  ],
  'mirror/mirror-store.ts MAX_AGE_MS': [
    // At its end a batch is written.
    99,
    async (ageMs) => {
      vi.useFakeTimers();
      const { update, written } = mirror();
      await update(1);
      await vi.advanceTimersByTimeAsync(ageMs);
      return written.length === 0;
    },
  ],
  'mirror/mirror-store.ts MAX_EVENTS': [
    1_000,
    async (count) => {
      vi.useFakeTimers();
      const { update, store, written } = mirror();
      await update(count);
      await store.flush();
      return written[0] === count;
    },
  ],
  'records/output.ts MAX_COLUMN': [
    40,
    async (width) => {
      const stdout = new PassThrough();
      const { signal: stop } = new AbortController();
      const io = { environment: {}, stdin: Readable.from([]), stdout, stderr: stdout, stop };
      await new Table(io, undefined).write([{ name: 'x'.repeat(width) }]);
      stdout.end();
      return !(await text(stdout)).includes('…');
    },
  ],
};

/** Where each of the others is tried, or why it is not. */
const TRIED_ELSEWHERE: Readonly<Record<string, string>> = {
  'command/connection.ts MAX_DELAY_MS': 'not: a command would have to fail for minutes',
  'command/connection.ts MAX_SERVER_DELAY_MS': 'not: a server would have to be waited for five minutes',
  'command/connection.ts MIN_DELAY_MS': 'commands.test.ts',
};

test('each limit of the sources is in the table', () => {
  const known = [...Object.keys(LIMITS), ...Object.keys(TRIED_ELSEWHERE)].sort();
  expect(limitConstants(resolve(import.meta.dirname, '../src'))).toEqual(known);
});

test.each(Object.entries(LIMITS))(
  '%s is allowed, and nothing beyond it',
  async (constant, [limit, accepts]) => {
    const beyond = constant.includes(' MIN_') ? -1 : 1;
    expect(await accepts(limit)).toBe(true);
    vi.useRealTimers();
    expect(await accepts(limit + beyond)).toBe(false);
  },
);
