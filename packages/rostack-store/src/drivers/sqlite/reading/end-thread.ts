import type { Worker } from 'node:worker_threads';

/** Asks a thread to end; it does so by itself. */
export const END_THREAD = 'end-thread';

/**
 * Resolves when a thread has ended, after what it does now. It is never terminated: one that is terminated while it loads the driver takes
 * the whole process with it.
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
