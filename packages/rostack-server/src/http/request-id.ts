/** What is taken over from a client: long enough for any tracing scheme, harmless in logs and header fields. */
const SANE_REQUEST_ID = /^[0-9A-Za-z._~:+/=-]{1,128}$/;

export function isSaneRequestId(id: unknown): boolean {
  return typeof id === 'string' && SANE_REQUEST_ID.test(id);
}

/** The id that the client sent in `X-Request-Id` when it is sane, else a new one. */
export function requestIdOf(sent: string | null | undefined, makeRequestId: () => string): string {
  return sent != null && SANE_REQUEST_ID.test(sent) ? sent : makeRequestId();
}
