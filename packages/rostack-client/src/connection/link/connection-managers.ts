import type { ClientError } from '../../http/error/errors.ts';
import { GatewayConnectionManager, type GatewayLinkOptions } from './gateway-connection-manager.ts';
import type { SubscriptionState } from './subscription-state.ts';

/** Spreads tracks over links, so that no connection carries more subscriptions than a gateway accepts. */
export class ConnectionManagers {
  readonly #options: Omit<GatewayLinkOptions, 'number'>;
  readonly #maxTracks: number;
  readonly #links: GatewayConnectionManager[] = [];
  readonly #linkOf = new Map<SubscriptionState, GatewayConnectionManager>();

  /** @param maxSubscriptions of one connection */
  constructor(options: Omit<GatewayLinkOptions, 'number'>, maxSubscriptions: number) {
    this.#options = options;
    // One is reserved for the check of a bookmark.
    const reserve = options.bookmarkAfterMs === 0 ? 0 : 1;
    this.#maxTracks = Math.max(maxSubscriptions - reserve, 1);
  }

  /** Whether anything is subscribed. */
  get isUsed(): boolean {
    return this.#linkOf.size > 0;
  }

  add(track: SubscriptionState): void {
    let link = this.#links.find(({ size }) => size < this.#maxTracks);
    if (link === undefined) {
      link = new GatewayConnectionManager({ ...this.#options, number: this.#links.length + 1 });
      this.#links.push(link);
    }
    this.#linkOf.set(track, link);
    link.add(track);
  }

  remove(track: SubscriptionState): void {
    this.#linkOf.get(track)?.remove(track);
    this.#linkOf.delete(track);
  }

  resume(track: SubscriptionState): void {
    this.#linkOf.get(track)?.resume(track);
  }

  /** @see GatewayConnectionManager.checkBookmark */
  async checkBookmark(track: SubscriptionState, cursor: string, bookmark: string): Promise<boolean> {
    return (await this.#linkOf.get(track)?.checkBookmark(track, cursor, bookmark)) ?? false;
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
