import { createSharedToken } from 'rostack-server';
import type { NewToken, TokenTable } from 'rostack-store';

/** A token to make: whom it speaks for and what it may do. */
export interface TokenRequest {
  readonly subject: string;
  /** Permission names (protocol section 3). */
  readonly grants: readonly string[];
  /** Time in ms since the epoch; absent: the token does not expire. */
  readonly expiresAtMs?: number | undefined;
}

/** A token that was made just now: `token` cannot be had again. */
export interface CreatedToken {
  readonly token: string;
  /** Public id, to list and revoke it by. */
  readonly tokenId: string;
}

/** Makes a token of 256 random bits and keeps its verifier. */
export async function createToken(
  tokens: Pick<TokenTable, 'add'>,
  request: TokenRequest,
): Promise<CreatedToken> {
  const { created, entry } = newToken(request);
  await tokens.add(entry);
  return created;
}

/** Makes the successor of a token; the old one counts for `overlapMs` more, or no longer. @throws TokenUnknownError of rostack-store */
export async function rotateToken(
  tokens: Pick<TokenTable, 'replace'>,
  tokenId: string,
  { overlapMs, ...request }: TokenRequest & { readonly overlapMs: number },
): Promise<CreatedToken> {
  const { created, entry } = newToken(request);
  await tokens.replace(tokenId, entry, overlapMs);
  return created;
}

function newToken({ subject, grants, expiresAtMs }: TokenRequest): {
  created: CreatedToken;
  entry: NewToken;
} {
  const { token, tokenId, verifier } = createSharedToken();
  return { created: { token, tokenId }, entry: { tokenId, verifier, subject, grants, expiresAtMs } };
}
