/**
 * Wraps an observer so that its errors and rejections go to `onFailure` and stop nothing else.
 * @param onFailure must not throw
 */
export function guardObserver<A extends readonly unknown[]>(
  observer: (...told: A) => unknown,
  onFailure: (error: unknown) => void,
): (...told: A) => void {
  return (...told) => {
    try {
      ignoreRejection(observer(...told), onFailure);
    } catch (error) {
      onFailure(error);
    }
  };
}

/** If a callback returned a promise, sends its rejection to `onFailure`: unhandled, it would end the process. */
export function ignoreRejection(value: unknown, onFailure: (error: unknown) => void): void {
  if (isThenable(value)) value.then(undefined, onFailure);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
