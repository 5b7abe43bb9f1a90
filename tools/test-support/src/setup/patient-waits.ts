import { vi } from 'vitest';

/** How long a test waits for what has to come, unless it says so itself: on a busy machine a second is not enough. */
const TIMEOUT_MS = 20_000;

const { waitFor, waitUntil } = vi;

vi.waitFor = (look, options) =>
  waitFor(look, typeof options === 'number' ? options : { timeout: TIMEOUT_MS, ...options });
vi.waitUntil = (look, options) =>
  waitUntil(look, typeof options === 'number' ? options : { timeout: TIMEOUT_MS, ...options });
