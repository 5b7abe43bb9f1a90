import { type ClientOptions, connect, type RostackClient } from 'rostack-client';
import type { HostileServer } from './hostile-server.ts';

const CREDENTIAL = { method: 'shared_token', token: 'secret-token' } as const;
const LIMITS = { maxAttempts: 1 } as const;

/** A client that gives up after one attempt. */
export const connected = (server: HostileServer, options: ClientOptions = {}): Promise<RostackClient> =>
  connect(server.url, CREDENTIAL, { ...options, limits: { ...LIMITS, ...options.limits } });

/** A page of a list as a server should answer it, but for some members. */
export const page = (members: object, items: readonly object[] = []) => ({
  items,
  page: { next_cursor: null, has_more: false, event_cursor: 'c0', ...members },
});

/** Reads to the end, or to what ends it. */
export async function drain(records: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of records) {
    // Only the end matters.
  }
}
