/**
 * Shares reads of the same thing: at most one read of a key runs at a time, and everyone who asks meanwhile shares the next one. So a crowd
 * costs few reads, and no answer is older than the call that got it. For a record source whose `head` costs a query, for example.
 */
export class NextReads<Key, Value> {
  readonly #read: (key: Key) => Promise<Value>;
  /** They end with the read, and never reject. */
  readonly #running = new Map<Key, Promise<void>>();
  readonly #waiting = new Map<Key, Promise<Value>>();

  /** @param read starts a read; it rejects and does not throw */
  constructor(read: (key: Key) => Promise<Value>) {
    this.#read = read;
  }

  /** What is there at some moment after the call. @throws whatever the read throws */
  ask(key: Key): Promise<Value> {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return waiting;
    const running = this.#running.get(key);
    if (running === undefined) return this.#start(key);
    const next = running.then(() => {
      this.#waiting.delete(key);
      return this.#start(key);
    });
    this.#waiting.set(key, next);
    return next;
  }

  #start(key: Key): Promise<Value> {
    const reading = this.#read(key);
    const end = (): void => {
      this.#running.delete(key);
    };
    this.#running.set(key, reading.then(end, end));
    return reading;
  }
}
