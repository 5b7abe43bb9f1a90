import type { Context } from 'hono';
import type { Principal } from 'rostack-core';
import type { RefusalReason } from '../../auth/index.ts';
import type { HeaderFields } from '../problem/http-problem.ts';

/** One request while it is handled; the later members are set as they become known. */
export interface Exchange {
  readonly c: Context;
  readonly method: string;
  /** Percent-encoded path, as advertised: with the prefix that a proxy stripped. */
  readonly path: string;
  /** The query with its `?`, or empty. */
  readonly search: string;
  readonly host: string;
  readonly requestId: string;
  readonly nowMs: number;
  clientAddress?: string;
  principal?: Principal;
  credentialId?: string;
  refusal?: RefusalReason;
  refusalDetail?: string;
  recordId?: string;
  pageCache?: 'hit' | 'miss';
  pageCacheBytes?: number;
}

/** An answer without the header fields that all answers have. */
export interface Reply {
  readonly status: number;
  readonly headers: HeaderFields;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}
