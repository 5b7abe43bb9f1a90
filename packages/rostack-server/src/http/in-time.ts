import { SourceUnavailableError } from 'rostack-core';

/**
 * The value of a promise that settles in time.
 * @throws SourceUnavailableError when it does not; what it gives later is dropped
 */
export function inTime<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new SourceUnavailableError(`The record source did not answer within ${timeoutMs} ms.`));
    }, timeoutMs).unref();
    promise.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
