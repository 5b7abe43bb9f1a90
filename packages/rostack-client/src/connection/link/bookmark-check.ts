import type { SubscriptionDefinition } from '../session/session-state.ts';
import type { ConnectionEffect, GatewayConnection } from './gateway-connection.ts';

/** Whether a bookmark may take the place of a subscription's cursor. */
export interface BookmarkQuestion {
  /** The ids of the check begin with it. Used once per connection, so that no older answer is taken for a newer one. */
  readonly id: string;
  readonly definition: SubscriptionDefinition;
  readonly cursor: string;
  readonly bookmark: string;
}

/**
 * Asks one gateway for three replays, one after the other, with subscriptions of the same definition: from the cursor, from the bookmark,
 * and from the cursor again. A gateway that has accepted a position knows its log up to there. So the second replay covers everything
 * from the bookmark up to the cursor, and the third everything from the cursor up to the bookmark. If none brings an event, there is
 * none between the two, no matter which is the newer one.
 */
export class BookmarkCheck {
  readonly #connection: GatewayConnection;
  readonly #question: BookmarkQuestion;
  readonly #outcome = Promise.withResolvers<boolean>();
  /** Where the remaining replays begin. */
  readonly #starts: string[];
  #replays = 0;
  #isOver = false;

  constructor(connection: GatewayConnection, question: BookmarkQuestion) {
    this.#connection = connection;
    this.#question = question;
    this.#starts = [question.cursor, question.bookmark, question.cursor];
    this.#replay();
  }

  /** Whether it is safe; also false if that cannot be decided now. @throws SubscriptionError of the gateway */
  get outcome(): Promise<boolean> {
    return this.#outcome.promise;
  }

  /** Takes an effect if it is for this check. @returns whether it was */
  take(connection: GatewayConnection, effect: ConnectionEffect): boolean {
    if (connection !== this.#connection || this.#isOver || idOf(effect) !== this.#id) return false;
    if (effect.kind === 'ended') {
      this.#isOver = true;
      this.#outcome.reject(effect.error);
    } else if (effect.kind === 'event') {
      this.stop();
    } else if (effect.kind === 'caught_up') {
      this.#connection.unsubscribe(this.#id);
      this.#replay();
    }
    return true;
  }

  leave(connection: GatewayConnection): void {
    if (connection === this.#connection) this.stop();
  }

  /** Gives up. */
  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#connection.unsubscribe(this.#id);
    this.#outcome.resolve(false);
  }

  #replay(): void {
    const start = this.#starts.shift();
    if (start === undefined) {
      this.#isOver = true;
      this.#outcome.resolve(true);
      return;
    }
    this.#replays += 1;
    this.#connection.subscribe(this.#id, this.#question.definition, start);
  }

  get #id(): string {
    return `${this.#question.id}-${this.#replays}`;
  }
}

function idOf(effect: ConnectionEffect): string | undefined {
  if (effect.kind === 'event') return effect.event.subscription_id;
  return 'subscriptionId' in effect ? effect.subscriptionId : undefined;
}
