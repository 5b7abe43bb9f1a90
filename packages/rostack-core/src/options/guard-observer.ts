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
      const result = observer(...told);
      if (isThenable(result)) result.then(undefined, onFailure);
    } catch (error) {
      onFailure(error);
    }
  };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
