import {
  anInteger,
  anObject,
  aString,
  checkOptions,
  type JsonObject,
  listOf,
  objectWith,
  optional,
  optionsOf,
} from 'rostack-core';
import { createSharedToken } from 'rostack-server';
import type { NewToken, TokenRecord, TokenTable } from 'rostack-store';

/** A token to create: its principal and permissions. */
export interface TokenRequest {
  /** Who the token is for: a name that the operator chooses and clients do not see. */
  readonly subject: string;
  /** Permission names (protocol section 3). */
  readonly grants: readonly string[];
  /** Further claims about the principal, for `visible` of resources. */
  readonly claims?: JsonObject | undefined;
  /** Time in ms since the epoch; without it the token does not expire. */
  readonly expiresAtMs?: number | undefined;
}

/** The successor of a token. */
export interface RotationRequest extends TokenRequest {
  /** How long the old token stays valid, in ms; with 0 it ends at once. */
  readonly overlapMs: number;
}

const REFUSED = 'The token cannot be made';

/** A new token; `token` cannot be read again later. */
export interface CreatedToken {
  /** What the client sends. Only a verifier of it is stored. */
  readonly token: string;
  /** Public id, to list and revoke it by. */
  readonly tokenId: string;
}

const tokenRequest = {
  subject: aString,
  grants: listOf(aString),
  claims: optional(anObject),
  expiresAtMs: optional(anInteger(0)),
};
const createRequest = optionsOf<TokenRequest>(tokenRequest);
const rotateRequest = optionsOf<RotationRequest>({ ...tokenRequest, overlapMs: anInteger(0) });

/**
 * Makes a token of 256 random bits and stores its verifier.
 * @throws OptionsError `invalid_options`
 */
export async function createToken(
  tokens: Pick<TokenTable, 'add'>,
  request: TokenRequest,
): Promise<CreatedToken> {
  checkOptions(objectWith('add'), tokens, REFUSED, 'tokens');
  checkOptions(createRequest, request, REFUSED, 'request');
  const { created, entry } = newToken(request);
  await tokens.add(entry);
  return created;
}

/**
 * Makes the successor of a token; the old one stays valid for `overlapMs`, or ends at once.
 * @throws OptionsError `invalid_options`; TokenUnknownError of rostack-store
 */
export async function rotateToken(
  tokens: Pick<TokenTable, 'replace'>,
  tokenId: string,
  request: RotationRequest,
): Promise<CreatedToken> {
  checkOptions(objectWith('replace'), tokens, REFUSED, 'tokens');
  checkOptions(aString, tokenId, REFUSED, 'tokenId');
  checkOptions(rotateRequest, request, REFUSED, 'request');
  const { overlapMs, ...successor } = request;
  const { created, entry } = newToken(successor);
  await tokens.replace(tokenId, entry, overlapMs);
  return created;
}

function newToken({ subject, grants, claims, expiresAtMs }: TokenRequest): {
  created: CreatedToken;
  entry: NewToken;
} {
  const { token, tokenId, verifier } = createSharedToken();
  return { created: { token, tokenId }, entry: { tokenId, verifier, subject, grants, claims, expiresAtMs } };
}

/** Whether a token is valid. */
export type TokenState = 'active' | 'expired' | 'revoked';

export function tokenState({ revokedAtMs, expiresAtMs }: TokenRecord, nowMs: number): TokenState {
  if (revokedAtMs !== undefined) return 'revoked';
  return expiresAtMs !== undefined && expiresAtMs <= nowMs ? 'expired' : 'active';
}

/** What may be shown about a token: everything but its verifier. */
export interface TokenDescription {
  readonly id: string;
  readonly principal: string;
  readonly grants: readonly string[];
  readonly claims: JsonObject;
  readonly state: TokenState;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  /** Updated at most once a minute. */
  readonly last_used_at: string | null;
}

const isoOrNull = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());

export function describeToken(record: TokenRecord, nowMs: number): TokenDescription {
  return {
    id: record.tokenId,
    principal: record.subject,
    grants: record.grants,
    claims: record.claims ?? {},
    state: tokenState(record, nowMs),
    created_at: new Date(record.createdAtMs).toISOString(),
    expires_at: isoOrNull(record.expiresAtMs),
    revoked_at: isoOrNull(record.revokedAtMs),
    last_used_at: isoOrNull(record.lastUsedAtMs),
  };
}

const HEADINGS = ['ID', 'PRINCIPAL', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED', 'GRANTS', 'CLAIMS'];

/** A human-readable table, one token per line. */
export function formatTokens(tokens: readonly TokenDescription[]): string {
  const toMinute = (time: string | null) => time?.slice(0, 16).replace('T', ' ') ?? 'never';
  const rows = tokens.map((token) => [
    token.id,
    token.principal,
    token.state,
    toMinute(token.created_at),
    toMinute(token.expires_at),
    toMinute(token.last_used_at),
    token.grants.join(' '),
    Object.keys(token.claims).length === 0 ? '' : JSON.stringify(token.claims),
  ]);
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return [HEADINGS, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
