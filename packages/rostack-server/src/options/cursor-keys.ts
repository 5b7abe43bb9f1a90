import { anInteger, expecting, listOf, type OptionCheck, optional, optionsOf } from 'rostack-core';
import { aSecretKey } from '../guard/option-checks.ts';

/** A key that seals page cursors. */
export interface PageCursorKey {
  /** 0 to 255; unencrypted in the cursor. */
  readonly id: number;
  /** 32 bytes. */
  readonly bytes: Uint8Array;
}

/** The key that seals cursors, and older keys that can still open them: keep an old key for the lifetime of a cursor. */
export interface PageCursorKeyring {
  /** Seals cursors, and opens them. */
  readonly current: PageCursorKey;
  /** Only open cursors. @default none */
  readonly previous?: readonly PageCursorKey[];
}

/** The keys that cursors are sealed with; the same on every server of an implementation. `deriveKeys` makes them from a secret. */
export interface CursorKeys {
  /** For `next_cursor`; rotate it by adding a key. */
  readonly pages: PageCursorKeyring;
  /** For `event_cursor`: at least 32 bytes. Changing it invalidates all event cursors. */
  readonly events: Uint8Array;
}

export const AES_256_KEY_BYTES = 32;

const pageKey: OptionCheck = optionsOf<PageCursorKey>({
  id: anInteger(0, 255),
  bytes: expecting(
    `a Uint8Array of ${AES_256_KEY_BYTES} bytes`,
    (value) => value instanceof Uint8Array && value.byteLength === AES_256_KEY_BYTES,
  ),
});

export const cursorKeys: OptionCheck = optionsOf<CursorKeys>({
  pages: optionsOf<PageCursorKeyring>({ current: pageKey, previous: optional(listOf(pageKey)) }),
  events: aSecretKey,
});
