import { anInteger } from 'rostack-core';
import type { Database } from '../drivers/database.ts';
import { TokenUnknownError } from '../errors/index.ts';
import { checkOption } from '../store/options/check-option.ts';
import { tokenId as aTokenId, type NewToken, newToken, type TokenRecord } from './token-record.ts';
import {
  insertToken,
  selectToken,
  selectTokens,
  tokenIn,
  tokenQuery,
  updateExpiry,
  updateLastUse,
  updateRevoked,
} from './token-statements.ts';

/**
 * Shared tokens in the records' database, so that all processes over it know the same ones. Every method rejects with StoreUnavailableError
 * or SourceUnavailableError while the database does not answer, and with StoreOptionsError for an invalid argument.
 */
export class TokenTable {
  readonly #database: Database;
  readonly #nowMs: () => number;

  /** Use `store.tokens`. */
  constructor(database: Database, nowMs: () => number) {
    this.#database = database;
    this.#nowMs = nowMs;
  }

  /** The record of a token id, including revoked and expired ones. */
  async find(tokenId: string): Promise<TokenRecord | undefined> {
    // PostgreSQL cannot store U+0000 in a text, so no token has such an id.
    if (tokenId.includes('\u0000')) return undefined;
    return tokenIn(await this.#database.query(tokenQuery(this.#database.dialect, tokenId)));
  }

  /** All tokens, oldest first, including revoked and expired ones. */
  list(): Promise<readonly TokenRecord[]> {
    return this.#database.transaction(() => selectTokens(this.#database.dialect));
  }

  /** Stores a new token, which is valid from now on. No other token may have its id, even a revoked one. */
  async add(token: NewToken): Promise<void> {
    checkOption(newToken, token, 'token');
    await this.#database.write(() => insertToken(this.#database.dialect, token, this.#nowMs()));
  }

  /**
   * Revokes a token, for all processes.
   * @returns false if it was already revoked
   * @throws TokenUnknownError `token_unknown`
   */
  async revoke(tokenId: string): Promise<boolean> {
    checkOption(aTokenId, tokenId, 'tokenId');
    const { dialect } = this.#database;
    const nowMs = this.#nowMs();
    return this.#database.write(function* () {
      if ((yield* selectToken(dialect, tokenId)) === undefined) throw new TokenUnknownError(tokenId);
      return yield* updateRevoked(dialect, tokenId, nowMs);
    });
  }

  /**
   * Adds the successor of a token and ends the old one, in one transaction.
   * @param overlapMs how long the old one stays valid; with 0 it is revoked at once
   * @throws TokenUnknownError `token_unknown`
   */
  async replace(tokenId: string, successor: NewToken, overlapMs: number): Promise<void> {
    checkOption(aTokenId, tokenId, 'tokenId');
    checkOption(newToken, successor, 'successor');
    checkOption(anInteger(0), overlapMs, 'overlapMs');
    const { dialect } = this.#database;
    const nowMs = this.#nowMs();
    await this.#database.write(function* () {
      if ((yield* selectToken(dialect, tokenId)) === undefined) throw new TokenUnknownError(tokenId);
      yield* insertToken(dialect, successor, nowMs);
      if (overlapMs > 0) yield* updateExpiry(dialect, tokenId, nowMs + overlapMs);
      else yield* updateRevoked(dialect, tokenId, nowMs);
    });
  }

  /** Records when a token was last used, unless a use less than `resolutionMs` ago is already recorded. */
  async noteUse(tokenId: string, resolutionMs: number): Promise<void> {
    checkOption(aTokenId, tokenId, 'tokenId');
    checkOption(anInteger(0), resolutionMs, 'resolutionMs');
    const use = { nowMs: this.#nowMs(), resolutionMs };
    await this.#database.write(() => updateLastUse(this.#database.dialect, tokenId, use));
  }
}
