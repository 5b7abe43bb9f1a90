import { en } from './en.ts';
import type { Messages } from './ko.ts';
import { ko } from './ko.ts';
import type { Language } from './language.ts';

export type { Messages } from './ko.ts';

export const MESSAGES: Readonly<Record<Language, Messages>> = { ko, en };

/** For what is the same on every page of a language: made when a page first needs it, then kept. */
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
