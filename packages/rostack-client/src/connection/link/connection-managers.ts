import type { ClientError } from '../../http/error/errors.ts';
import type { ClientContext } from '../context/client-context.ts';
import { GatewayConnectionManager, type LinkOptions } from './gateway-connection-manager.ts';
import type { SubscriptionState } from './subscription-state.ts';

/** Spreads subscriptions over links, so that no connection carries more subscriptions than a gateway accepts. */
export class ConnectionManagers {
  readonly #context: ClientContext;
  readonly #options: Omit<LinkOptions, 'number'>;
  readonly #maxSubscriptions: number;
  readonly #links: GatewayConnectionManager[] = [];
  readonly #linkOf = new Map<SubscriptionState, GatewayConnectionManager>();

  constructor(context: ClientContext, options: Omit<LinkOptions, 'number'>) {
    this.#context = context;
    this.#options = options;
    // One is reserved for the check of a bookmark.
    const reserve = context.bookmarkAfterMs === 0 ? 0 : 1;
    this.#maxSubscriptions = Math.max(context.limits.maxSubscriptionsPerConnection - reserve, 1);
  }

  /** Whether anything is subscribed. */
  get isUsed(): boolean {
    return this.#linkOf.size > 0;
  }

  add(subscription: SubscriptionState): void {
    let link = this.#links.find(({ size }) => size < this.#maxSubscriptions);
    if (link === undefined) {
      link = new GatewayConnectionManager(this.#context, {
        ...this.#options,
        number: this.#links.length + 1,
      });
      this.#links.push(link);
    }
    this.#linkOf.set(subscription, link);
    link.add(subscription);
  }

  remove(subscription: SubscriptionState): void {
    this.#linkOf.get(subscription)?.remove(subscription);
    this.#linkOf.delete(subscription);
  }

  resume(subscription: SubscriptionState): void {
    this.#linkOf.get(subscription)?.resume(subscription);
  }

  /** @see GatewayConnectionManager.checkBookmark */
  async checkBookmark(subscription: SubscriptionState, cursor: string, bookmark: string): Promise<boolean> {
    return (await this.#linkOf.get(subscription)?.checkBookmark(subscription, cursor, bookmark)) ?? false;
  }

  move(): void {
    for (const link of this.#links) link.move();
  }

  wake(): void {
    for (const link of this.#links) link.wake();
  }

  /** Asks gateways that were silent for so long, in milliseconds, whether they are there. */
  probe(quietForMs: number): void {
    for (const link of this.#links) link.probe(quietForMs);
  }

  close(error: ClientError): void {
    for (const link of this.#links) link.close(error);
    this.#linkOf.clear();
  }
}
