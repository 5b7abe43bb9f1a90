import type { CursorKeys } from 'rostack-server';

export const CURSOR_KEYS: CursorKeys = {
  pages: { current: { id: 1, bytes: new Uint8Array(32).fill(3) } },
  events: new Uint8Array(32).fill(7),
};
