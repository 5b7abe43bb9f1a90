/** Loaded into a process before its program: SIGUSR2 collects its garbage. Run with `--expose-gc`. */
import { isMainThread } from 'node:worker_threads';

if (isMainThread) process.on('SIGUSR2', () => globalThis.gc?.());
