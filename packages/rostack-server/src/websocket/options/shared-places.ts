/** What connections are counted by: all of them, those of a client address, those of a principal. */
export type PlaceScope = 'all' | 'address' | 'principal';

/** One place among those that share a scope and a key. */
export interface PlaceClaim {
  /** What is counted. */
  readonly scope: PlaceScope;
  /** Whose places they are; empty for all. */
  readonly key: string;
  /** How many there are; at least 1. */
  readonly max: number;
}

/** Gives out places for connections to several servers, which together have no more than there are. */
export interface SharedPlaces {
  /**
   * Takes all places that are claimed, or none. What it rejects with refuses the connection.
   * @returns undefined when they were taken, else the index of the first claim that has none left
   */
  take(claims: readonly PlaceClaim[]): Promise<number | undefined>;
  /** Gives places back that were taken. */
  giveBack(claims: readonly PlaceClaim[]): void;
}
