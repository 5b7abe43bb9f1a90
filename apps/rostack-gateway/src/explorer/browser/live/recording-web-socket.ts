import { type Frame, withoutToken } from './frame.ts';

export type OnFrame = (frame: Omit<Frame, 'key'>) => void;

/** A WebSocket class that tells of every text frame that goes out or comes in; credentials are hidden. */
export function recordingWebSocket(onFrame: OnFrame): typeof WebSocket {
  return class RecordingWebSocket extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
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
