import type { Release } from '../../release/release.ts';

/** What a check finds: where, as keys from the root, and a sentence fragment. */
export interface Finding {
  readonly keys: readonly (string | number)[];
  readonly message: string;
}

/** A rule of discovery documents that JSON Schema cannot say. */
export interface DiscoveryCheck {
  /** Stable name, in snake case. */
  readonly name: string;
  /** The rule as a sentence. */
  readonly rule: string;
  /** Releases it belongs to. */
  readonly releases: readonly Release[];
  readonly find: (document: unknown) => Iterable<Finding>;
}
