import { watch } from 'node:fs';

/** How soon after a sign of a write the version is looked at again; each time it takes twice as long, until nothing is to be expected. */
const FIRST_PAUSE_MS = 4;
const LAST_PAUSE_MS = 256;
/** How often it is looked at in any case, as a sign may be lost. */
const REST_MS = 1_000;
/** The same where the system tells nothing of writes. */
const UNTOLD_MS = 40;

/**
 * Calls back when another connection has written to a SQLite file. The system tells when anyone writes to its log, this process too, and
 * what is written can be seen from its commit on, which is a moment later: so the version is looked at at once and some times after it.
 * At rest it is looked at once a second.
 * @param log path of the write-ahead log; undefined for a database in memory
 * @param version moves when another connection writes
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

/** Undefined where the system does not tell of writes to a file, or has no watch left. */
function listen(file: string, onSign: () => void, onEnd: () => void): (() => void) | undefined {
  try {
    const watcher = watch(file, { persistent: false }, onSign);
    watcher.on('error', onEnd);
    return () => watcher.close();
  } catch {
    return undefined;
  }
}
