import type { Messages } from './messages.ts';

/** What is the same on every page of a language: made when the first page needs it, and kept. */
export function perLanguage<T>(make: (text: Messages) => T): (text: Messages) => T {
  const made = new Map<Messages, T>();
  return (text) => {
    let value = made.get(text);
    if (value === undefined) {
      value = make(text);
      made.set(text, value);
    }
    return value;
  };
}
