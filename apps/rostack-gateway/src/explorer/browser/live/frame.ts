/** One WebSocket text frame, as shown. */
export interface Frame {
  readonly key: number;
  readonly direction: 'sent' | 'received';
  readonly atMs: number;
  readonly text: string;
}

/** The text of a sent frame without the credential that may be in it. */
export function withoutToken(text: string): string {
  const message: unknown = JSON.parse(text);
  if (typeof message !== 'object' || message === null || !('token' in message)) return text;
  return JSON.stringify({ ...message, token: '(hidden)' });
}
