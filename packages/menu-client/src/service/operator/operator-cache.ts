import type { MenuChange } from '../../domain/menu-change.ts';
import type { Vendor } from '../../domain/restaurant.ts';
import type { OperatorHealth } from '../contract/menu-service.ts';
import { CatalogueCache } from './catalogue-cache.ts';
import { DayCache } from './day-cache.ts';
import type { OperatorGate } from './operator-gate.ts';
import { OperatorReader, type OperatorReaderOptions } from './operator-reader.ts';

export interface OperatorCacheOptions extends OperatorReaderOptions {
  readonly onChange: (change: MenuChange) => void;
}

/** One operator's data, from the cache first. */
export class OperatorCache {
  readonly vendor: Vendor;
  readonly gate: OperatorGate;
  readonly catalogue: CatalogueCache;
  readonly days: DayCache;
  readonly #reader: OperatorReader;

  constructor(options: OperatorCacheOptions) {
    this.#reader = new OperatorReader(options);
    this.vendor = this.#reader.vendor;
    this.gate = options.gate;
    this.catalogue = new CatalogueCache(this.#reader);
    this.days = new DayCache(this.#reader, options.onChange);
  }

  async health(): Promise<OperatorHealth> {
    const known = await this.catalogue.peek();
    // If nobody has asked yet, a health probe is the first to ask; it must not wait for the answer.
    if (known === undefined) this.catalogue.known().catch(() => {});
    const [lastSuccessAtMs, refusal] = await Promise.all([
      this.#reader.lastSuccessAtMs(),
      this.gate.refusal(),
    ]);
    return this.gate.health(lastSuccessAtMs, known !== undefined, refusal);
  }
}
