import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  type McpServer,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';

type Answer = JSONRPCResultResponse | JSONRPCErrorResponse;

/**
 * A connection to an SDK server that many HTTP clients use at once. The server sees ids of the connection's own, because
 * two clients may choose the same id.
 */
export class SharedConnection implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly #waiting = new Map<RequestId, (answer: Answer) => void>();
  #lastId = 0;

  static async open(server: McpServer): Promise<SharedConnection> {
    const connection = new SharedConnection();
    await server.connect(connection);
    return connection;
  }

  /** How many requests have no answer yet. */
  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** The server's answer, under the id of the request. */
  async ask(request: JSONRPCRequest): Promise<Answer> {
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#waiting.set(id, resolve);
    try {
      this.onmessage?.({ ...request, id });
      return { ...(await promise), id: request.id };
    } finally {
      this.#waiting.delete(id);
    }
  }

  /** Called by the server. Only answers go anywhere: a plain JSON response has no room for notifications. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) return;
    if (message.id !== undefined) this.#waiting.get(message.id)?.(message);
  }

  /** There is nothing to start and nothing to close: a connection is only an object. */
  async start(): Promise<void> {}
  async close(): Promise<void> {}
}
