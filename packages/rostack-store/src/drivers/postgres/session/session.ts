import type { Buffer } from 'node:buffer';
import type { PoolClient, QueryConfig } from 'pg';
import type { Sending, Step, Work } from '../../database.ts';
import type { Query, Row } from '../../dialect/query.ts';
import { encodeBinaryArray } from '../statement/binary-array.ts';
import { encodeBinaryCopy } from '../statement/binary-copy.ts';
import type { CopyInClass } from '../statement/copy-in.ts';
import { QueryFailure } from '../statement/failure.ts';
import type { StatementNames } from '../statement/statement-names.ts';

/** Number of rows from which a copy, although not prepared, takes the server less time than the prepared statement. */
const COPY_FROM_ROWS = 100;

/** One connection for the duration of one transaction. */
export class PostgresSession {
  readonly #client: PoolClient;
  readonly #CopyIn: CopyInClass;
  readonly #names: StatementNames;
  readonly #timeoutMs: number;
  readonly #sent = new Map<Sending | 'begin' | 'commit', Promise<readonly Row[]>>();
  #inFlight = 0;
  #isCorked = false;

  constructor(client: PoolClient, CopyIn: CopyInClass, names: StatementNames, timeoutMs: number) {
    this.#client = client;
    this.#CopyIn = CopyIn;
    this.#names = names;
    this.#timeoutMs = timeoutMs;
  }

  /** Sends the statement that begins the transaction; its failure is thrown where the work first waits. */
  begin(text: string): void {
    this.#keep('begin', this.query({ text }));
  }

  async drive<T>(work: Work<T>): Promise<T> {
    let step = work.next();
    while (step.done !== true) step = work.next(await this.#take(step.value));
    // Sent after all else: if one of the earlier statements fails, so does the commit, because the server rolls back a failed transaction.
    this.#keep('commit', this.query({ text: 'commit' }));
    await this.#settle();
    return step.value;
  }

  /** Sends queries one after the other, directly followed by the commit: all of it takes one round trip. Returns their rows. */
  async runAll(queries: readonly Query[]): Promise<readonly (readonly Row[])[]> {
    const answers = Promise.all(queries.map((query) => this.#run(query)));
    this.#keep('commit', this.query({ text: 'commit' }));
    const rows = await answers;
    await this.#settle();
    return rows;
  }

  query(config: QueryConfig): Promise<readonly Row[]> {
    return this.#await(async (query_timeout) => {
      // The driver accepts a time limit per query, though its types do not declare it.
      const limited: QueryConfig & { query_timeout: number } = { ...config, query_timeout };
      return (await this.#client.query<Row>(limited)).rows;
    });
  }

  #copy(text: string, bytes: Buffer): Promise<readonly Row[]> {
    return this.#await(
      (timeoutMs) =>
        new Promise((resolve, reject) => {
          const settle = (error: unknown) => (error === null ? resolve([]) : reject(error));
          this.#client.query(new this.#CopyIn(text, bytes, timeoutMs, settle));
        }),
    );
  }

  /** @param ask gets the time limit for the answer: earlier statements in flight count towards it */
  async #await(ask: (timeoutMs: number) => Promise<readonly Row[]>): Promise<readonly Row[]> {
    this.#inFlight += 1;
    this.#cork();
    try {
      return await ask(this.#timeoutMs * this.#inFlight);
    } catch (cause) {
      throw new QueryFailure(cause);
    } finally {
      this.#inFlight -= 1;
    }
  }

  /** Everything that is sent in one turn leaves in one write. */
  #cork(): void {
    if (this.#isCorked) return;
    const { stream } = this.#client.connection;
    this.#isCorked = true;
    stream.cork();
    // Settled promises continue before that.
    process.nextTick(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }

  /** Returns whether the connection can be used again. */
  async rollBack(): Promise<boolean> {
    return this.query({ text: 'rollback' }).then(
      () => true,
      () => false,
    );
  }

  async #take(step: Step): Promise<readonly Row[]> {
    if (step.kind === 'send') {
      this.#keep(step, this.#run(step.query));
      return [];
    }
    try {
      return await (step.kind === 'receive' ? this.#receive(step.sending) : this.#run(step));
    } catch (error) {
      await this.#settle();
      throw error;
    }
  }

  /** Its failure is thrown where the work waits next. */
  #keep(name: Sending | 'begin' | 'commit', rows: Promise<readonly Row[]>): void {
    rows.catch(() => {});
    this.#sent.set(name, rows);
  }

  async #receive(sending: Sending): Promise<readonly Row[]> {
    const rows = await this.#sent.get(sending);
    this.#sent.delete(sending);
    return rows ?? [];
  }

  /** Waits for everything sent. @throws QueryFailure the first one, which made the later queries fail */
  async #settle(): Promise<void> {
    for (const rows of this.#sent.values()) await rows;
  }

  async #run(query: Query): Promise<readonly Row[]> {
    if (query.kind === 'each') {
      const { rows, copy } = query;
      if (rows.length === 0) return [];
      if (copy !== undefined && rows.length >= COPY_FROM_ROWS)
        return this.#copy(copy, encodeBinaryCopy(rows));
    }
    const { text, values } = toConfig(query);
    // Statements that run `each` are few and fixed, so every connection keeps them prepared.
    const isKept = query.kind === 'each' || query.isKept === true;
    const name = isKept ? this.#names.nameOf(text) : undefined;
    return this.query({ ...(name !== undefined && { name }), text, values });
  }
}

/** A query in the driver's form. A statement that runs for each row gets one array per column. */
export function toConfig(query: Query): { readonly text: string; readonly values: unknown[] } {
  if (query.kind === 'once') return { text: query.sql, values: [...query.parameters] };
  const columns = query.types.map((type, column) =>
    encodeBinaryArray(
      type,
      query.rows.map((row) => row[column]),
    ),
  );
  return { text: query.sql, values: columns };
}
