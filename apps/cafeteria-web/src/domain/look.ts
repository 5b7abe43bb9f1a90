export const SORTS = ['protein', 'kcal'] as const;

export type Sort = (typeof SORTS)[number];

/** How a visitor looks at the dishes of their restaurants. */
export interface Look {
  /** Most protein first, or least energy first; undefined: as the operator lists them. */
  readonly sort: Sort | undefined;
  /** Words that a dish must have, as typed; at most 100 characters. */
  readonly words: string;
}

export const PLAIN_LOOK: Look = { sort: undefined, words: '' };

const MAX_WORDS_LENGTH = 100;

/** From a query or a cookie. Both come from outside, so what cannot be read is left out. */
export function parseLook(sort: string | undefined, words: string | undefined): Look {
  return {
    sort: SORTS.find((each) => each === sort),
    words: (words ?? '').trim().slice(0, MAX_WORDS_LENGTH),
  };
}

/** The look as the value of a cookie: `sort.words`, the words percent-encoded; empty for the plain one. */
export function encodeLook({ sort, words }: Look): string {
  return sort === undefined && words === ''
    ? ''
    : `${sort ?? ''}.${encodeURIComponent(words.toWellFormed())}`;
}

/** @param cookie its value, percent-decoded */
export function decodeLook(cookie = ''): Look {
  const dot = cookie.indexOf('.');
  return dot < 0 ? PLAIN_LOOK : parseLook(cookie.slice(0, dot), cookie.slice(dot + 1));
}
