import { parseTrustedJson } from 'rostack-core/client';
import { relayedUrl } from './relay.ts';

/** One WebSocket text frame, as shown. */
export interface Frame {
  readonly key: number;
  readonly direction: 'sent' | 'received';
  readonly atMs: number;
  readonly text: string;
}

export type OnFrame = (frame: Omit<Frame, 'key'>) => void;

/** A WebSocket class that reports every text frame, sent or received, with credentials hidden. */
export function recordingWebSocket(relay: string | undefined, onFrame: OnFrame): typeof WebSocket {
  return class RecordingWebSocket extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(relay === undefined ? url : relayedUrl(relay, url), protocols);
      this.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        if (typeof data === 'string') onFrame({ direction: 'received', atMs: Date.now(), text: data });
      });
    }

    override send(data: string | Blob | BufferSource): void {
      super.send(data);
      if (typeof data === 'string')
        onFrame({ direction: 'sent', atMs: Date.now(), text: withoutToken(data) });
    }
  };
}

/** The text of a sent frame, without the credential if it has one. */
function withoutToken(text: string): string {
  const message: unknown = parseTrustedJson(text);
  if (typeof message !== 'object' || message === null || !('token' in message)) return text;
  return JSON.stringify({ ...message, token: '(hidden)' });
}
