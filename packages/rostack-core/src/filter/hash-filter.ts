import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalFilterText } from './canonicalize-filter.ts';
import type { Filter } from './filter.ts';

/** SHA-256 of the filter's normal form, 64 hexadecimal digits: equal for filters of the same normal form. */
export function hashFilter(filter: Filter): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalFilterText(filter))));
}
