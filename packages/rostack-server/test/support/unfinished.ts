import type { Server } from 'node:http';
import type { RecordSource } from 'rostack-core';
import type { Clock, WebSocketGateway } from '../../src/websocket/index.ts';

/** Notes what a gateway begins, to tell in the end what it has not ended. */
export class Unfinished {
  readonly #timers = new Set<string>();
  readonly #watches = new Set<string>();
  #count = 0;

  /** The same clock, whose timers are noted. */
  clock(inner: Clock): Clock {
    return {
      wallMs: () => inner.wallMs(),
      monotonicMs: () => inner.monotonicMs(),
      nextTurn: () => inner.nextTurn(),
      after: (delayMs, callback) => {
        const name = this.#name(`a timer of ${delayMs} ms`);
        const cancel = inner.after(delayMs, () => {
          this.#timers.delete(name);
          callback();
        });
        // A clock that fails has set no timer.
        if (typeof cancel !== 'function') return cancel;
        this.#timers.add(name);
        return () => {
          this.#timers.delete(name);
          cancel();
        };
      },
    };
  }

  /** The same source, whose watchers are noted. */
  source(name: string, inner: RecordSource): RecordSource {
    return new Proxy(inner, {
      get: (source, member) => {
        const value: unknown = Reflect.get(source, member, source);
        if (typeof value !== 'function') return value;
        if (member !== 'watch') return value.bind(source) as unknown;
        return (onMoved: () => void) => this.#watch(name, source.watch(onMoved));
      },
    });
  }

  /** @throws if a gateway that was closed has left anything */
  check({ status }: WebSocketGateway, server: Server): void {
    const { connections, subscriptions, bufferedBytes, pausedConnections, resources } = status;
    const counts = {
      connections,
      subscriptions,
      bufferedBytes,
      pausedConnections,
      'listeners for upgrades': server.listenerCount('upgrade'),
      ...Object.fromEntries(resources.map((each) => [`feeds of ${each.resource}`, each.subscriptions])),
    };
    const left = [
      ...Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [] : [`${name}: ${count}`])),
      ...this.#timers,
      ...this.#watches,
    ];
    if (left.length > 0) throw new Error(`a closed gateway has left ${left.join(', ')}`);
  }

  #watch(name: string, unwatch: () => void): () => void {
    if (typeof unwatch !== 'function') return unwatch;
    const watch = this.#name(`a watcher of ${name}`);
    this.#watches.add(watch);
    return () => {
      this.#watches.delete(watch);
      unwatch();
    };
  }

  #name(what: string): string {
    this.#count += 1;
    return `${this.#count}: ${what}`;
  }
}
