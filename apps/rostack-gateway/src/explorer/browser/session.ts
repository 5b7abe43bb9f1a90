import { type ConnectionStatus, type Credential, connect, type RostackClient } from 'rostack-client';
import type { ExplorerData } from '../explorer-data.ts';
import { Announcer } from './announcer.ts';
import type { Frame } from './live/frame.ts';
import { recordingWebSocket } from './live/recording-web-socket.ts';

/** A client with the visitor's token. The token lives in the client's memory alone and goes with it. */
export interface Session extends AsyncDisposable {
  readonly client: RostackClient;
  /** Tells of every WebSocket frame. */
  readonly frames: Announcer<Omit<Frame, 'key'>>;
  /** Tells what happens to the gateway connection. */
  readonly statuses: Announcer<ConnectionStatus>;
}

/**
 * A session whose token was accepted for the first resource, or refused for want of a permission only.
 * @throws ClientError of rostack-client
 */
export async function openSession(
  { discoveryUrl, trustedOrigins, resources }: ExplorerData,
  credential: Credential,
): Promise<Session> {
  const frames = new Announcer<Omit<Frame, 'key'>>();
  const statuses = new Announcer<ConnectionStatus>();
  const client = await connect(discoveryUrl, credential, {
    trustedOrigins,
    WebSocket: recordingWebSocket((frame) => frames.tell(frame)),
    onStatus: (status) => statuses.tell(status),
  });
  const [first] = resources;
  try {
    if (first !== undefined) await client.list(first.name, { pageSize: 1 }).pages().next();
  } catch (error) {
    // A token without this permission is a token all the same: what it opens shows later.
    if (!(error instanceof Error && 'code' in error && error.code === 'permission-denied')) {
      await client.close();
      throw error;
    }
  }
  return { client, frames, statuses, [Symbol.asyncDispose]: () => client.close() };
}
