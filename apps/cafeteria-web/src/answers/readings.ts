import type { MenuReading, Vendor } from 'menu-client';

/** True until something is read after it was taken. */
export type Unchanged = () => boolean;

const EVERYTHING = '*';
const RESTAURANTS = 'restaurants';

/** Counts what is read, so that an answer made of an earlier reading is known to be old at once. */
export class Readings {
  readonly #counts = new Map<string, number>();

  note(reading: MenuReading): void {
    const name = reading.kind === 'day' ? `${reading.vendor} ${reading.restaurantId}` : RESTAURANTS;
    for (const each of [EVERYTHING, name]) this.#counts.set(each, (this.#counts.get(each) ?? 0) + 1);
  }

  /** Of everything that one restaurant's pages show. */
  ofRestaurant(vendor: Vendor, id: string): Unchanged {
    return this.#since(`${vendor} ${id}`, RESTAURANTS);
  }

  /** Of the lists of restaurants. */
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
