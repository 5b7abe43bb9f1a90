import type { Worker } from 'node:worker_threads';

/** Asks a thread to end; it does so by itself. */
export const END_THREAD = 'end-thread';

/**
 * Resolves when a thread has finished its current work and ended. It is never terminated: terminating it while it loads the driver crashes
 * the whole process.
 */
export async function endThread(thread: Worker): Promise<void> {
  const hasEnded = thread.threadId === -1;
  if (hasEnded) return;
  thread.ref();
  await new Promise<void>((resolve) => {
    thread.once('exit', () => resolve());
    thread.postMessage(END_THREAD);
  });
}
