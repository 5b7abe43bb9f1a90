import type { JsonObject } from 'rostack-core';
import { parseTrustedJson } from 'rostack-core';
import { run, type Work } from '../drivers/database.ts';
import type { Dialect } from '../drivers/dialect/dialect.ts';
import type { Row } from '../drivers/dialect/query.ts';
import { type Once, once, sql } from '../drivers/dialect/sql.ts';
import type { NewToken, TokenRecord } from './token-record.ts';

const COLUMNS = sql`token_id, verifier, subject, grants, claims, created_at_ms, expires_at_ms, revoked_at_ms, last_used_at_ms`;

export function* insertToken(dialect: Dialect, token: NewToken, nowMs: number): Work<void> {
  const { tokenId, verifier, subject, grants, claims, expiresAtMs = null } = token;
  const claimsText = claims === undefined ? null : JSON.stringify(claims);
  yield* run(
    once(
      dialect,
      sql`insert into ${dialect.table('token')} (token_id, verifier, subject, grants, claims, created_at_ms, expires_at_ms)
        values (${tokenId}, ${Buffer.from(verifier)}, ${subject}, ${JSON.stringify(grants)}, ${claimsText}, ${nowMs}, ${expiresAtMs})`,
    ),
  );
}

export function tokenQuery(dialect: Dialect, tokenId: string): Once {
  return once(dialect, sql`select ${COLUMNS} from ${dialect.table('token')} where token_id = ${tokenId}`);
}

/** What a `tokenQuery` found. */
export function tokenIn([row]: readonly Row[]): TokenRecord | undefined {
  return row && toRecord(row);
}

export function* selectToken(dialect: Dialect, tokenId: string): Work<TokenRecord | undefined> {
  return tokenIn(yield* run(tokenQuery(dialect, tokenId)));
}

export function* selectTokens(dialect: Dialect): Work<readonly TokenRecord[]> {
  const rows = yield* run(
    once(dialect, sql`select ${COLUMNS} from ${dialect.table('token')} order by created_at_ms, token_id`),
  );
  return rows.map(toRecord);
}

/** Revokes a token. @returns whether there was one that had not been revoked before */
export function* updateRevoked(dialect: Dialect, tokenId: string, nowMs: number): Work<boolean> {
  const rows = yield* run(
    once(
      dialect,
      sql`update ${dialect.table('token')} set revoked_at_ms = ${nowMs}
        where token_id = ${tokenId} and revoked_at_ms is null returning token_id`,
    ),
  );
  return rows.length > 0;
}

/** Makes a token expire earlier; never later. */
export function* updateExpiry(dialect: Dialect, tokenId: string, expiresAtMs: number): Work<void> {
  yield* run(
    once(
      dialect,
      sql`update ${dialect.table('token')} set expires_at_ms = ${expiresAtMs}
        where token_id = ${tokenId} and (expires_at_ms is null or expires_at_ms > ${expiresAtMs})`,
    ),
  );
}

export function* updateLastUse(
  dialect: Dialect,
  tokenId: string,
  { nowMs, resolutionMs }: { readonly nowMs: number; readonly resolutionMs: number },
): Work<void> {
  yield* run(
    once(
      dialect,
      sql`update ${dialect.table('token')} set last_used_at_ms = ${nowMs}
        where token_id = ${tokenId} and (last_used_at_ms is null or last_used_at_ms <= ${nowMs - resolutionMs})`,
    ),
  );
}

const optional = (value: unknown): number | undefined => (value === null ? undefined : Number(value));

function toRecord(row: Row): TokenRecord {
  return {
    tokenId: String(row['token_id']),
    verifier: new Uint8Array(row['verifier'] as Uint8Array),
    subject: String(row['subject']),
    grants: parseTrustedJson(String(row['grants'])) as string[],
    claims: typeof row['claims'] === 'string' ? (parseTrustedJson(row['claims']) as JsonObject) : undefined,
    createdAtMs: Number(row['created_at_ms']),
    expiresAtMs: optional(row['expires_at_ms']),
    revokedAtMs: optional(row['revoked_at_ms']),
    lastUsedAtMs: optional(row['last_used_at_ms']),
  };
}
