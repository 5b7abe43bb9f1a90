import type { ClientClock } from '../platform/platform.ts';
import type { ConnectionManagers } from './connection-managers.ts';

/** How long a gateway may be silent before a page that people look at asks whether it is there, in milliseconds. */
export const QUIET_MS = 4_000;
const LOOK_EVERY_MS = 1_000;

/** Pings gateways that are silent, sooner than their heartbeat would, while a page is visible; elsewhere nothing happens. */
export function probeWhileVisible(
  links: Pick<ConnectionManagers, 'probe'>,
  clock: Pick<ClientClock, 'after'>,
  signal: AbortSignal,
): void {
  const { document: page } = globalThis as { readonly document?: { readonly visibilityState?: string } };
  if (page === undefined || signal.aborted) return;
  const look = (): void => {
    if (page.visibilityState === 'visible') links.probe(QUIET_MS);
    callOff = clock.after(LOOK_EVERY_MS, look, true);
  };
  let callOff = clock.after(LOOK_EVERY_MS, look, true);
  signal.addEventListener('abort', () => callOff(), { once: true });
}
