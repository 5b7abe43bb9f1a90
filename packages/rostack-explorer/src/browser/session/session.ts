import { type ConnectionStatus, type Credential, connect, type RostackClient } from 'rostack-client';
import type { ExplorerData } from '../../description/explorer-data.ts';
import { type Frame, recordingWebSocket } from './recording-web-socket.ts';
import { asPageIsServed, relayedFetch } from './relay.ts';

/** Passes each value on to all its listeners. */
export class Announcer<T> {
  readonly #listeners = new Set<(value: T) => void>();

  /** Listens until the returned function is called. */
  listen(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }
}

/** A client with the visitor's token, which is kept only in the client's memory. */
export interface Session extends AsyncDisposable {
  readonly client: RostackClient;
  /** Every WebSocket frame. */
  readonly frames: Announcer<Omit<Frame, 'key'>>;
  /** What happens to the gateway connection. */
  readonly statuses: Announcer<ConnectionStatus>;
}

/**
 * A session whose token was accepted for the page's resource, or refused only because it lacks a permission.
 * @throws ClientError of rostack-client
 */
export async function openSession(
  { discoveryUrl, origins, relay, resource }: ExplorerData,
  credential: Credential,
): Promise<Session> {
  const frames = new Announcer<Omit<Frame, 'key'>>();
  const statuses = new Announcer<ConnectionStatus>();
  const url = relay === undefined ? asPageIsServed(discoveryUrl) : discoveryUrl;
  const client = await connect(url, credential, {
    trustedOrigins: origins,
    allowInsecureLoopback: url.startsWith('http:'),
    ...(relay === undefined ? {} : { fetch: relayedFetch(relay) }),
    WebSocket: recordingWebSocket(relay, (frame) => frames.tell(frame)),
    onStatus: (status) => statuses.tell(status),
  });
  try {
    await client.list(resource.name, { pageSize: 1 }).pages().next();
  } catch (error) {
    // A token without this permission is still valid; what it allows shows later.
    if (!(error instanceof Error && 'status' in error && error.status === 403)) {
      await client.close();
      throw error;
    }
  }
  return { client, frames, statuses, [Symbol.asyncDispose]: () => client.close() };
}
