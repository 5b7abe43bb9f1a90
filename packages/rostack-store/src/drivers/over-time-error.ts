/** Thrown by a statement that has run for longer than it may. */
export class OverTimeError extends Error {
  override readonly name = 'OverTimeError';

  constructor() {
    super('the statement took too long');
  }
}
