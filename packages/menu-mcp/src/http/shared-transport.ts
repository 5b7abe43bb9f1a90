import type { JSONRPCMessage, JSONRPCRequest, Transport } from '@modelcontextprotocol/server';

/**
 * Carries requests of any number of clients to one server, and each answer back to its own. Only for requests that
 * leave nothing behind in the server: no `initialize`, no notification.
 */
export class SharedTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #waiting = new Map<number, (answer: JSONRPCMessage | undefined) => void>();
  #nextId = 0;
  #closed = false;

  start(): Promise<void> {
    return Promise.resolve();
  }

  /** The answer, under the id of the request; undefined when the transport was closed first. */
  exchange(request: JSONRPCRequest): Promise<JSONRPCMessage | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    this.#nextId += 1;
    const id = this.#nextId; // Clients choose the same ids.
    return new Promise((resolve) => {
      this.#waiting.set(id, (answer) =>
        resolve(answer === undefined ? undefined : { ...answer, id: request.id }),
      );
      this.onmessage?.({ ...request, id });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message) && typeof message.id === 'number') {
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    }
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#closed = true;
    for (const settle of this.#waiting.values()) settle(undefined);
    this.#waiting.clear();
    this.onclose?.();
    return Promise.resolve();
  }
}
