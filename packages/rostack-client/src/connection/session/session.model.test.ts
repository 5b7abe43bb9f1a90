import fc from 'fast-check';
import type { ClientMessage } from 'rostack-core';
import { expect, test } from 'vitest';
import { openSession } from '../../../test/support/session-driver.ts';

/**
 * An honest server at the other end of a connection with a delay: it answers in order what it has read in order, and
 * sends events whenever it likes.
 */
class HonestServer {
  readonly #live = new Map<string, 'opening' | 'open'>();
  readonly toServer: ClientMessage[] = [];
  readonly toClient: object[] = [];
  #events = 0;

  readOne(): void {
    const message = this.toServer.shift();
    if (message?.type === 'unsubscribe') this.#live.delete(message.subscription_id);
    if (message?.type !== 'subscribe') return;
    const { subscription_id: id } = message;
    if (this.#live.has(id)) throw new Error(`a conflict of the id ${id}`);
    this.#live.set(id, 'opening');
  }

  open(id: string): void {
    if (this.#live.get(id) !== 'opening') return;
    this.#live.set(id, 'open');
    this.toClient.push({ type: 'subscribed', subscription_id: id, event_encoding: 'json', replaying: true });
  }

  send(id: string): void {
    if (this.#live.get(id) !== 'open') return;
    this.#events += 1;
    this.toClient.push({
      type: 'event',
      subscription_id: id,
      event_id: `e${this.#events}`,
      cursor: `c${this.#events}`,
      occurred_at: '2026-08-14T00:00:00Z',
      event_type: 'station.created',
      resource_id: 'a',
      resource_version: '1',
    });
  }

  end(id: string): void {
    if (!this.#live.delete(id)) return;
    this.toClient.push({
      type: 'error',
      code: 'cursor_unavailable',
      message: 'pruned',
      retryable: false,
      subscription_id: id,
    });
  }
}

test('an honest server is never accused, however its messages and ours cross', () => {
  const id = fc.constantFrom('a', 'b');
  const action = fc.oneof(
    fc.record({ kind: fc.constantFrom('subscribe', 'unsubscribe', 'open', 'send', 'end'), id }),
    fc.record({ kind: fc.constantFrom('deliver', 'read'), id }),
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 80 }), (actions) => {
      const session = openSession();
      const server = new HonestServer();
      /** What the owner of the session believes to be subscribed. */
      const wanted = new Set<string>();
      const settle = (): void => {
        server.toServer.push(...session.messages);
        for (const effect of session.effects) {
          if (effect.kind === 'ended') wanted.delete(effect.subscriptionId);
          else if (effect.kind === 'close') throw effect.error;
        }
      };
      for (const { kind, id } of actions) {
        if (kind === 'subscribe') {
          if (wanted.has(id)) continue;
          wanted.add(id);
          session.subscribe(id, 'c0');
          settle();
        } else if (kind === 'unsubscribe') {
          wanted.delete(id);
          session.unsubscribe(id);
          settle();
        } else if (kind === 'deliver') {
          const message = server.toClient.shift();
          if (message === undefined) continue;
          session.receive(message);
          settle();
        } else if (kind === 'read') server.readOne();
        else if (kind === 'open') server.open(id);
        else if (kind === 'send') server.send(id);
        else server.end(id);
      }
      expect(session.state.phase).toBe('open');
    }),
    { numRuns: 3_000 },
  );
});
