import { watch } from 'node:fs';

/** Delay from a file event to the second check of the version; each further delay is twice as long, until no change is to be expected. */
const FIRST_PAUSE_MS = 4;
const LAST_PAUSE_MS = 256;
/** How often the version is checked in any case, since an event may be lost. */
const REST_MS = 1_000;
/** How often it is checked if the system reports no events. */
const UNTOLD_MS = 40;

/**
 * Calls back when another connection has written to a SQLite file. The system reports each write to its log, also by this process, and the
 * change becomes visible with its commit, a moment later: so the version is checked at once and several times after that. At rest it is
 * checked once a second.
 * @param log path of the write-ahead log; undefined for a database in memory
 * @param version changes when another connection writes
 * @returns how to stop
 */
export function watchWrites(
  log: string | undefined,
  version: () => unknown,
  onWritten: () => void,
): () => void {
  let seen = version();
  let timer: NodeJS.Timeout | undefined;
  let restMs = REST_MS;
  let isStopped = false;

  const look = (): void => {
    const now = version();
    if (now === seen) return;
    seen = now;
    onWritten();
  };
  const lookAfter = (pauseMs: number): void => {
    clearTimeout(timer);
    if (isStopped) return;
    timer = setTimeout(() => {
      look();
      lookAfter(pauseMs < Math.min(LAST_PAUSE_MS, restMs) ? pauseMs * 2 : restMs);
    }, pauseMs).unref();
  };
  const onSign = (): void => {
    look();
    lookAfter(FIRST_PAUSE_MS);
  };
  const onEnd = (): void => {
    restMs = UNTOLD_MS;
    lookAfter(restMs);
  };

  const stopListening = log === undefined ? undefined : listen(log, onSign, onEnd);
  if (stopListening === undefined) restMs = UNTOLD_MS;
  lookAfter(restMs);
  return () => {
    isStopped = true;
    clearTimeout(timer);
    stopListening?.();
  };
}

/** Undefined if the system does not report writes to a file, or has no watch left. */
function listen(file: string, onSign: () => void, onEnd: () => void): (() => void) | undefined {
  try {
    const watcher = watch(file, { persistent: false }, onSign);
    watcher.on('error', onEnd);
    return () => watcher.close();
  } catch {
    return undefined;
  }
}
