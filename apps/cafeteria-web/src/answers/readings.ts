import type { MenuReading, Vendor } from 'menu-client';

/** True until something is read after this was created. */
export type Unchanged = () => boolean;

const EVERYTHING = '*';
const RESTAURANTS = 'restaurants';

/** Counts readings, so that an answer made from an earlier one is known at once to be out of date. */
export class Readings {
  readonly #counts = new Map<string, number>();

  note(reading: MenuReading): void {
    const name = reading.kind === 'day' ? `${reading.vendor} ${reading.restaurantId}` : RESTAURANTS;
    for (const each of [EVERYTHING, name]) this.#counts.set(each, (this.#counts.get(each) ?? 0) + 1);
  }

  /** For everything that one restaurant's pages show. */
  ofRestaurant(vendor: Vendor, id: string): Unchanged {
    return this.#since(`${vendor} ${id}`, RESTAURANTS);
  }

  /** For the lists of restaurants. */
  ofRestaurants(): Unchanged {
    return this.#since(RESTAURANTS);
  }

  ofAll(): Unchanged {
    return this.#since(EVERYTHING);
  }

  #since(...names: readonly string[]): Unchanged {
    const sum = (): number => names.reduce((total, name) => total + (this.#counts.get(name) ?? 0), 0);
    const before = sum();
    return () => sum() === before;
  }
}
