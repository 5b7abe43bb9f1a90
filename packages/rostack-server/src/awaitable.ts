/** A value, or the promise of one where somebody has to be asked. */
export type Awaitable<T> = T | Promise<T>;

/** Goes on with a value, at once when it is there: a promise for every step costs more than most steps do. */
export function andThen<T, R>(value: Awaitable<T>, step: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(step) : step(value);
}
