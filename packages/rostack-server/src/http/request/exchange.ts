import type { Context } from 'hono';
import type { Principal } from 'rostack-core';
import type { RefusalReason } from '../../auth/index.ts';
import type { HeaderFields } from '../problem/http-problem.ts';

/** One request on its way to its answer; the later members are filled in as they become known. */
export interface Exchange {
  readonly c: Context;
  readonly method: string;
  /** Percent-encoded path, as advertised: with what a proxy stripped put back. */
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

/** An answer before the header fields that every answer has. */
export interface Reply {
  readonly status: number;
  readonly headers: HeaderFields;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}
