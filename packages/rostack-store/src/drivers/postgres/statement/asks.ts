import type { PoolClient } from 'pg';
import type { Row } from '../../dialect/query.ts';
import type { Once } from '../../dialect/sql.ts';
import { cancelQuery } from './cancel-query.ts';
import { InterruptedError, isMixedUp, isPostgresFailure, QueryFailure } from './failure.ts';
import type { QueryClass } from './query.ts';
import type { StatementNames } from './statement-names.ts';

/** Queries that one connection takes at once; few, because a slow one delays those after it. */
const MAX_TOGETHER = 4;

export interface PostgresAsksOptions {
  /** @throws QueryFailure */
  readonly connect: () => Promise<PoolClient>;
  /** The most connections open at a time. */
  readonly maxConnections: number;
  readonly Query: QueryClass;
  readonly names: StatementNames;
  /** How long a query may run. */
  readonly timeoutMs: number;
  /** How long the server may take to answer after that. */
  readonly graceMs: number;
}

interface Asked {
  readonly query: Once;
  readonly resolve: (rows: readonly Row[]) => void;
  readonly reject: (error: QueryFailure) => void;
}

/** How the server answered a query. */
type Answer = { readonly rows: readonly Row[] } | { readonly cause: unknown };

/**
 * Queries outside a transaction. If there are more of them in one turn of the event loop than connections, they share these: several leave
 * in one write, and the server runs one after the other without being woken for each. Each succeeds or fails by itself.
 */
export class PostgresAsks {
  readonly #options: PostgresAsksOptions;
  #waiting: Asked[] = [];

  constructor(options: PostgresAsksOptions) {
    this.#options = options;
  }

  /** @throws QueryFailure */
  ask(query: Once): Promise<readonly Row[]> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ query, resolve, reject }) === 1) setImmediate(() => this.#send());
    });
  }

  #send(): void {
    const asked = this.#waiting;
    this.#waiting = [];
    const { maxConnections } = this.#options;
    const groups = Math.max(Math.min(asked.length, maxConnections), Math.ceil(asked.length / MAX_TOGETHER));
    for (let group = 0; group < groups; group += 1)
      void this.#sendTogether(asked.filter((_, index) => index % groups === group));
  }

  async #sendTogether(group: readonly Asked[]): Promise<void> {
    let client: PoolClient;
    try {
      client = await this.#options.connect();
    } catch (error) {
      for (const { reject } of group) reject(error as QueryFailure);
      return;
    }
    const isWhole = await this.#settle(client, group);
    client.release(!isWhole);
  }

  /** Returns whether the connection can be used again. */
  async #settle(client: PoolClient, group: readonly Asked[]): Promise<boolean> {
    const { timeoutMs, graceMs } = this.#options;
    const { stream } = client.connection;
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    let isFailed = false;
    let isLost = false;
    // The time limit is not set on the server, which would take another message and reply: a query that takes too long is cancelled.
    const cancelLater = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        isOver = true;
        cancelQuery(client);
        timer = setTimeout(() => stream.destroy(new Error('no answer in time')), graceMs);
      }, timeoutMs);
    };
    cancelLater();
    stream.cork();
    const answers = group.map(({ query }) => this.#run(client, query));
    stream.uncork();
    for (const [index, { resolve, reject }] of group.entries()) {
      // A late request to cancel hits whatever runs then.
      const answer: Answer | undefined = isOver ? { cause: new InterruptedError() } : await answers[index];
      if (answer !== undefined && 'rows' in answer) resolve(answer.rows);
      else {
        const failure = new QueryFailure(answer?.cause);
        isLost ||= !isPostgresFailure(failure.cause);
        // The statement may be unknown because the query that was to prepare it failed.
        reject(isFailed && isMixedUp(failure) ? new QueryFailure(new InterruptedError()) : failure);
        isFailed = true;
      }
      if (!isOver) cancelLater();
    }
    clearTimeout(timer);
    return !isOver && !isLost;
  }

  #run(client: PoolClient, query: Once): Promise<Answer> {
    const { Query, names } = this.#options;
    const generic = { ...query, sql: names.generic(query.sql, query.parameters) };
    return new Promise((resolve) => {
      client.query(
        new Query(generic, names.nameOf(generic.sql), {
          resolve: (rows) => resolve({ rows }),
          reject: (cause) => resolve({ cause }),
        }),
      );
    });
  }
}
