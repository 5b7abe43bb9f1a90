import { SourceUnavailableError } from 'rostack-core';

/**
 * The value of a promise that settles in time.
 * @throws SourceUnavailableError when it does not; what it gives later is dropped
 */
export async function withinTime<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new SourceUnavailableError(`The record source did not answer within ${timeoutMs} ms.`));
    }, timeoutMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
