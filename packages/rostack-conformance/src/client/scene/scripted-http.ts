import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { formatEtag } from 'rostack-core';

/** A request of the client under test. */
export interface ScriptedRequest {
  readonly atMs: number;
  /** `UPGRADE` for the upgrade of a gateway connection. */
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
}

/** An answer over HTTP. */
export interface ScriptedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** An ETag that is the same for the same text. */
export const etagOf = (text: string): string =>
  formatEtag(createHash('sha256').update(text).digest('base64url'));

/** The text without percent-encoding, or unchanged if the encoding is malformed. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
