import type { Logger } from 'pino';
import type { HttpHooks, RequestReport } from 'rostack-server';
import { findQuarantinedRow, type MoverStatus, readQuarantine, type Store } from 'rostack-store';

const FRESH_MS = 1_000;

/** Where to look for rows in quarantine. */
export interface QuarantineParts {
  readonly store: Store | undefined;
  readonly tables: readonly MoverStatus[];
}

/** Tracks which attached tables have rows that their resources refuse. */
export class QuarantineWatch {
  readonly #running: QuarantineParts;
  #counts: Promise<ReadonlyMap<string, number>> = Promise.resolve(new Map());
  #freshUntilMs = 0;

  constructor(running: QuarantineParts) {
    this.#running = running;
  }

  /** Rows in quarantine by resource, if there are any, at most one second old. @throws what the store throws */
  counts(): Promise<ReadonlyMap<string, number>> {
    const nowMs = performance.now();
    if (nowMs >= this.#freshUntilMs) {
      this.#freshUntilMs = nowMs + FRESH_MS;
      this.#counts = this.#count();
    }
    return this.#counts;
  }

  async #count(): Promise<ReadonlyMap<string, number>> {
    const { store, tables } = this.#running;
    const counts = new Map<string, number>();
    if (store === undefined) return counts;
    for (const { resource } of tables) {
      const { rows } = await readQuarantine(store, resource);
      if (rows > 0) counts.set(resource, rows);
    }
    return counts;
  }

  /** Logs, at `info`, requests for a row in quarantine. The client gets its last accepted record, or none. */
  logHooks(logger: Logger): HttpHooks {
    return {
      onRequest: (report) => {
        if (report.recordId === undefined || !logger.isLevelEnabled('info')) return;
        this.#log(report.recordId, report, logger).catch((error: unknown) =>
          logger.debug({ requestId: report.requestId, err: error }, 'the quarantine cannot be read'),
        );
      },
    };
  }

  async #log(
    recordId: string,
    { requestId, resource = '', status }: RequestReport,
    logger: Logger,
  ): Promise<void> {
    const { store, tables } = this.#running;
    if (store === undefined || !tables.some((table) => table.resource === resource)) return;
    if (!(await this.counts()).has(resource)) return;
    const row = await findQuarantinedRow(store, resource, recordId);
    if (row === undefined) return;
    const { reason, sinceMs } = row;
    logger.info({ requestId, resource, recordId, status, reason, sinceMs }, 'asked for a row in quarantine');
  }
}
