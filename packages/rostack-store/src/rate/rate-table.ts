import { aText, listOf, optionsOf, wholeNumber } from 'rostack-core';
import type { Database, Query, Row } from '../database/database.ts';
import { checkOption } from '../options/check-option.ts';
import { giveBack, lease, type RateLease, type RateRequest, type ReturnedRate } from './rate-statements.ts';

const key = { scope: aText, key: aText };
const requests = listOf(
  optionsOf<RateRequest>({
    ...key,
    budget: optionsOf<RateRequest['budget']>({ points: wholeNumber(1), windowMs: wholeNumber(1_000) }),
    points: wholeNumber(0),
    spent: wholeNumber(0),
  }),
);
const returned = listOf(optionsOf<ReturnedRate>({ ...key, points: wholeNumber(1), window: wholeNumber(0) }));

/** What rates need of PostgreSQL; its driver's types are not for everybody who reads these. */
interface RateDatabase extends Pick<Database, 'dialect'> {
  writeOne<T extends object = Row>(query: Query): Promise<readonly T[]>;
}

/**
 * Budgets that all processes over one PostgreSQL database use up together. A window of a key begins with its first request and ends by
 * the database's clock. The counts are in a table that is not logged: they are gone after a crash of the server.
 */
export class RateTable {
  readonly #database: RateDatabase;

  /** Use `store.rates`. */
  constructor(database: RateDatabase) {
    this.#database = database;
  }

  /**
   * Takes points from budgets, as many as there are left of those asked for.
   * @param asked no two for the same key of a scope
   * @returns one lease for each, in their order
   * @throws StoreUnavailableError `store_unavailable` when the database cannot be written
   */
  async lease(asked: readonly RateRequest[]): Promise<readonly RateLease[]> {
    checkOption(requests, asked, 'requests');
    const rows = await this.#database.writeOne<RateLease & { scope: string; key: string }>(
      lease(this.#database.dialect, asked),
    );
    const found = new Map(rows.map(({ scope, key: name, ...granted }) => [`${scope} ${name}`, granted]));
    return asked.map(({ scope, key: name }) => {
      const granted = found.get(`${scope} ${name}`);
      if (granted === undefined) throw new Error(`no row came back for ${scope}`);
      return granted;
    });
  }

  /**
   * Puts points back into windows that have not ended.
   * @throws StoreUnavailableError `store_unavailable` when the database cannot be written
   */
  async giveBack(leases: readonly ReturnedRate[]): Promise<void> {
    checkOption(returned, leases, 'leases');
    await this.#database.writeOne(giveBack(this.#database.dialect, leases));
  }
}
