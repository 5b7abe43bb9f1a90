import type { MenuReading, Vendor } from 'menu-client';

interface Counter {
  count: number;
}

/** Where the readings stood when something was made of them. */
export interface ReadingMark {
  readonly counter: Readonly<Counter>;
  readonly count: number;
}

/** True until something new was read of what the mark stands for. */
export function isNewest({ counter, count }: ReadingMark): boolean {
  return counter.count === count;
}

const markOf = (counter: Counter): ReadingMark => ({ counter, count: counter.count });

/** Of what depends on no reading. */
export const NEVER_READ: ReadingMark = { counter: { count: 0 }, count: 0 };

/** Counts what is read anew, so that what was rendered of an earlier reading is known to be old at once. */
export class Readings {
  readonly #all: Counter = { count: 0 };
  readonly #restaurants: Counter = { count: 0 };
  /** By vendor and id, of the restaurants whose pages were asked for. */
  readonly #days = new Map<string, Counter>();

  note(reading: MenuReading): void {
    this.#all.count += 1;
    if (reading.kind === 'day') {
      const counter = this.#days.get(`${reading.vendor} ${reading.restaurantId}`);
      if (counter !== undefined) counter.count += 1;
      return;
    }
    this.#restaurants.count += 1;
    for (const counter of this.#days.values()) counter.count += 1;
  }

  /** Of everything that one restaurant's pages show. @param id of a restaurant that exists */
  ofRestaurant(vendor: Vendor, id: string): ReadingMark {
    const key = `${vendor} ${id}`;
    let counter = this.#days.get(key);
    if (counter === undefined) this.#days.set(key, (counter = { count: 0 }));
    return markOf(counter);
  }

  /** Of the lists of restaurants. */
  ofRestaurants(): ReadingMark {
    return markOf(this.#restaurants);
  }

  /** Of everything. */
  ofAll(): ReadingMark {
    return markOf(this.#all);
  }
}
