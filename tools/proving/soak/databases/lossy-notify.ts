import { Pool } from 'pg';
import type { HintBus } from 'rostack-store';
import type { Random } from 'test-support/random';

const LATE_MS = 200;

/** PostgreSQL's NOTIFY on the store's channel, some of it lost, doubled or late. */
export class LossyNotify implements HintBus, AsyncDisposable {
  readonly #pool: Pool;
  readonly #random: Random;
  readonly #timers = new Set<NodeJS.Timeout>();
  #lostShare = 0;

  constructor(url: string, random: Random) {
    this.#pool = new Pool({ connectionString: url, max: 1 });
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
    this.#random = random;
  }

  lose(share: number): void {
    this.#lostShare = share;
  }

  publish(resources: readonly string[]): void {
    if (this.#random.chance(this.#lostShare)) return;
    const fate = this.#random.pick(['sent', 'sent', 'doubled', 'late'] as const);
    if (fate === 'late') this.#later(resources);
    else this.#send(resources);
    if (fate === 'doubled') this.#send(resources);
  }

  subscribe(): () => void {
    return () => {};
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#pool.end();
  }

  #later(resources: readonly string[]): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        this.#send(resources);
      },
      this.#random.int(1, LATE_MS),
    );
    this.#timers.add(timer);
  }

  #send(resources: readonly string[]): void {
    this.#pool
      .query('select pg_notify($1, $2)', ['rostack_store_rostack', resources.join(',')])
      .catch(() => {});
  }
}
