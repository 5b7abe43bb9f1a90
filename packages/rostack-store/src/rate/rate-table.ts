import { anInteger, aString, listOf, optionsOf } from 'rostack-core';
import type { Database } from '../drivers/database.ts';
import { checkOption } from '../store/options/check-option.ts';
import { giveBack, lease, type RateLease, type RateRequest, type ReturnedRate } from './rate-statements.ts';

const key = { scope: aString, key: aString };
const requests = listOf(
  optionsOf<RateRequest>({
    ...key,
    budget: optionsOf<RateRequest['budget']>({ points: anInteger(1), windowMs: anInteger(1_000) }),
    points: anInteger(0),
    spent: anInteger(0),
  }),
);
const returned = listOf(optionsOf<ReturnedRate>({ ...key, points: anInteger(1), window: anInteger(0) }));

/** The part of the database that rates need. */
type RateDatabase = Pick<Database, 'dialect' | 'writeOne'>;

/**
 * Budgets shared by all processes over one PostgreSQL database. A key's window begins with its first request and ends by the database's
 * clock. The counts are in an unlogged table, so they are lost if the server crashes.
 */
export class RateTable {
  readonly #database: RateDatabase;

  /** Use `store.rates`. */
  constructor(database: RateDatabase) {
    this.#database = database;
  }

  /**
   * Takes points from budgets: as many as requested, or as many as are left.
   * @param asked no two requests for the same key of a scope
   * @returns one lease for each request, in the same order
   * @throws StoreUnavailableError `store_unavailable` if the database cannot be written
   */
  async lease(asked: readonly RateRequest[]): Promise<readonly RateLease[]> {
    checkOption(requests, asked, 'requests');
    const rows = await this.#database.writeOne<RateLease & { scope: string; key: string }>(
      lease(this.#database.dialect, asked),
    );
    const found = new Map(rows.map(({ scope, key: name, ...granted }) => [nameOf(scope, name), granted]));
    return asked.map(({ scope, key: name }) => {
      const granted = found.get(nameOf(scope, name));
      if (granted === undefined) throw new Error(`no row came back for ${scope}`);
      return granted;
    });
  }

  /**
   * Returns points to windows that have not ended.
   * @throws StoreUnavailableError `store_unavailable` if the database cannot be written
   */
  async giveBack(leases: readonly ReturnedRate[]): Promise<void> {
    checkOption(returned, leases, 'leases');
    await this.#database.writeOne(giveBack(this.#database.dialect, leases));
  }
}

/** Both parts may hold any character. */
const nameOf = (scope: string, name: string): string => JSON.stringify([scope, name]);
