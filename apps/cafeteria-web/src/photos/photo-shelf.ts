import { LRUCache } from 'lru-cache';
import type { Vendor } from 'menu-client';
import type { Unchanged } from '../answers/readings.ts';
import { nameOf as nameOfVariant, type PhotoVariant, type VariantName } from './photo-variant.ts';

/** What is known about a photo: whether it is there, and the version of each variant that was made. */
export interface PhotoState {
  readonly isThere: boolean;
  readonly versions: Readonly<Partial<Record<VariantName, string>>>;
}

/** Some 200 bytes each. */
const MAX_STATES = 20_000;

/** A photo that is not there is looked for again after this, if somebody would see it. */
const LOOK_AGAIN_MS = 60_000;
/** How often a page is asked about photos that are not there, while nothing is noted. */
const ASK_AGAIN_MS = 1_000;

interface Shelved {
  readonly state: PhotoState;
  /** When it was last found to be there or not. */
  readonly atMs: number;
}

export interface PhotoShelfOptions {
  readonly nowMs: () => number;
  /** Called for a photo that was not there when it was last looked for, and that somebody would see now. */
  readonly onWanted: (vendor: Vendor, url: string) => void;
}

const nameOf = (vendor: Vendor, url: string): string => `${vendor} ${url}`;
const sameAs = (a: PhotoState | undefined, b: PhotoState | undefined): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);

/** What this process knows about the operators' photos, by their addresses. */
export class PhotoShelf {
  readonly #states = new LRUCache<string, Shelved>({ max: MAX_STATES });
  readonly #options: PhotoShelfOptions;
  #revision = 0;

  constructor(options: PhotoShelfOptions = { nowMs: Date.now, onWanted: () => {} }) {
    this.#options = options;
  }

  /** Grows with everything that is noted. */
  get revision(): number {
    return this.#revision;
  }

  nowMs(): number {
    return this.#options.nowMs();
  }

  /** Undefined for a photo that nobody has asked for. */
  stateOf(vendor: Vendor, url: string): PhotoState | undefined {
    const shelved = this.#states.get(nameOf(vendor, url));
    const nowMs = this.#options.nowMs();
    if (shelved?.state.isThere === false && nowMs - shelved.atMs >= LOOK_AGAIN_MS) {
      this.#note(vendor, url, shelved.state);
      this.#options.onWanted(vendor, url);
    }
    return shelved?.state;
  }

  noteVersion(vendor: Vendor, url: string, variant: PhotoVariant, version: string): void {
    const { versions = {} } = this.#states.get(nameOf(vendor, url))?.state ?? {};
    const name = nameOfVariant(variant);
    if (versions[name] === version) return;
    this.#note(vendor, url, { isThere: true, versions: { ...versions, [name]: version } });
  }

  noteAbsent(vendor: Vendor, url: string): void {
    this.#note(vendor, url, { isThere: false, versions: {} });
  }

  /** Another photo is at the address: what was made of the earlier one has no address any more. */
  forget(vendor: Vendor, url: string): void {
    this.#revision += 1;
    this.#states.delete(nameOf(vendor, url));
  }

  /** For rendering one answer: remembers what it was told. */
  look(): PhotoLook {
    return new PhotoLook(this);
  }

  #note(vendor: Vendor, url: string, state: PhotoState): void {
    this.#revision += 1;
    this.#states.set(nameOf(vendor, url), { state, atMs: this.#options.nowMs() });
  }
}

/** The photos of one answer. */
export class PhotoLook {
  readonly #shelf: PhotoShelf;
  /** A list, not a map: there are thousands of looks, of some dozen photos each, and one said twice does no harm. */
  readonly #told: {
    readonly vendor: Vendor;
    readonly url: string;
    readonly state: PhotoState | undefined;
  }[] = [];
  #revision: number;
  #allThere = true;
  #askedAtMs: number;

  constructor(shelf: PhotoShelf) {
    this.#shelf = shelf;
    this.#revision = shelf.revision;
    this.#askedAtMs = shelf.nowMs();
  }

  stateOf(vendor: Vendor, url: string): PhotoState | undefined {
    const state = this.#shelf.stateOf(vendor, url);
    const last = this.#told.at(-1);
    // Each width of a photo is asked for by itself.
    if (last?.url !== url || last.vendor !== vendor || last.state !== state)
      this.#told.push({ vendor, url, state });
    this.#allThere &&= state?.isThere !== false;
    return state;
  }

  /** True until something that it told is otherwise. A photo that is not there is looked for again by being asked about. */
  readonly unchanged: Unchanged = () => {
    const { revision } = this.#shelf;
    const nowMs = this.#shelf.nowMs();
    const isAsked = this.#allThere || nowMs - this.#askedAtMs < ASK_AGAIN_MS;
    if (revision === this.#revision && isAsked) return true;
    for (const { vendor, url, state } of this.#told)
      if (!sameAs(this.#shelf.stateOf(vendor, url), state)) return false;
    this.#revision = revision;
    this.#askedAtMs = nowMs;
    return true;
  };
}
