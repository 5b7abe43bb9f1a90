/**
 * Makes an observer harmless: what it throws, or rejects with, goes to `onFailure` and ends nothing.
 * @param onFailure must not throw
 */
export function guardObserver<A extends readonly unknown[]>(
  observer: (...told: A) => unknown,
  onFailure: (error: unknown) => void,
): (...told: A) => void {
  return (...told) => {
    try {
      disarmPromise(observer(...told), onFailure);
    } catch (error) {
      onFailure(error);
    }
  };
}

/** Where a callback gave a promise, its rejection goes to `onFailure`: unheard, it would end the process. */
export function disarmPromise(value: unknown, onFailure: (error: unknown) => void): void {
  if (isThenable(value)) value.then(undefined, onFailure);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
