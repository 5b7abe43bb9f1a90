/** How many event ids are remembered. */
export const EVENT_WINDOW_SIZE = 1_024;

/** The newest event ids of a subscription, so that an event that comes twice is taken once. */
export class EventWindow {
  readonly #ids = new Set<string>();

  has(eventId: string): boolean {
    return this.#ids.has(eventId);
  }

  add(eventId: string): void {
    this.#ids.add(eventId);
    if (this.#ids.size <= EVENT_WINDOW_SIZE) return;
    const [oldest] = this.#ids;
    if (oldest !== undefined) this.#ids.delete(oldest);
  }
}
