import { stat } from 'node:fs/promises';
import { createSharedToken, type SharedTokenRecord, type SharedTokenStore } from 'rostack-server';
import { z } from 'zod';
import { readIfPresent, writeWhole } from './whole-file.ts';

const fileModel = z.strictObject({
  format: z.literal(1),
  tokens: z.array(
    z.strictObject({
      token_id: z.string().min(1),
      verifier_sha256: z.string().regex(/^[0-9a-f]{64}$/),
      subject: z.string().min(1),
      grants: z.array(z.string()),
      expires_at: z.iso.datetime().optional(),
      revoked_at: z.iso.datetime().optional(),
    }),
  ),
});

type TokenFileContent = z.infer<typeof fileModel>;

/** The token file holds something else than token records; the message says where. */
export class TokenFileError extends Error {
  override readonly name = 'TokenFileError';
  readonly code = 'token_file_invalid';
  readonly retryable = false;
}

/** A token to make: whom it speaks for and what it may do. */
export interface TokenRequest {
  readonly subject: string;
  /** Permission names (protocol section 3). */
  readonly grants: readonly string[];
  /** Time in ms since the epoch; absent: the token does not expire. */
  readonly expiresAtMs?: number;
}

/**
 * Shared tokens in one JSON file, readable by its owner only: public id, one-way verifier, subject and grants, never a token.
 * A change of the file by another process is seen with the next look-up.
 */
export class TokenFile implements SharedTokenStore {
  readonly #path: string;
  #readMtimeMs: number | undefined;
  #records: ReadonlyMap<string, SharedTokenRecord> = new Map();

  constructor(path: string) {
    this.#path = path;
  }

  /** @throws TokenFileError `token_file_invalid` */
  async find(tokenId: string): Promise<SharedTokenRecord | undefined> {
    const mtimeMs = (await stat(this.#path).catch(() => undefined))?.mtimeMs;
    if (mtimeMs !== this.#readMtimeMs || mtimeMs === undefined) {
      const { tokens } = await this.#read();
      this.#records = new Map(tokens.map((token) => [token.token_id, toRecord(token)]));
      this.#readMtimeMs = mtimeMs;
    }
    return this.#records.get(tokenId);
  }

  /** Number of tokens in the file, revoked and expired ones included. @throws TokenFileError `token_file_invalid` */
  async count(): Promise<number> {
    return (await this.#read()).tokens.length;
  }

  /** Makes a token, keeps its verifier, and returns the token: the only time that it is to be had. */
  async create(request: TokenRequest): Promise<string> {
    const { tokens } = await this.#read();
    const { token, tokenId, verifier } = createSharedToken();
    tokens.push({
      token_id: tokenId,
      verifier_sha256: Buffer.from(verifier).toString('hex'),
      subject: request.subject,
      grants: [...request.grants],
      ...(request.expiresAtMs === undefined
        ? {}
        : { expires_at: new Date(request.expiresAtMs).toISOString() }),
    });
    await writeWhole(this.#path, `${JSON.stringify({ format: 1, tokens }, null, 2)}\n`, 0o600);
    return token;
  }

  async #read(): Promise<TokenFileContent> {
    const text = await readIfPresent(this.#path);
    if (text === undefined) return { format: 1, tokens: [] };
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw new TokenFileError(
        `${this.#path} is not JSON; restore it, or delete it to begin with a new token.`,
      );
    }
    const result = fileModel.safeParse(value);
    if (!result.success) {
      throw new TokenFileError(`${this.#path} is no token file: ${z.prettifyError(result.error)}`);
    }
    return result.data;
  }
}

function toRecord(token: TokenFileContent['tokens'][number]): SharedTokenRecord {
  return {
    tokenId: token.token_id,
    verifier: Buffer.from(token.verifier_sha256, 'hex'),
    subject: token.subject,
    grants: token.grants,
    expiresAtMs: token.expires_at === undefined ? undefined : Date.parse(token.expires_at),
    revokedAtMs: token.revoked_at === undefined ? undefined : Date.parse(token.revoked_at),
  };
}
