export const SORTS = ['kcal', 'kcal-high', 'protein', 'protein-low'] as const;

export type Sort = (typeof SORTS)[number];

/** How a visitor looks at the dishes of their restaurants. */
export interface Look {
  /** Least or most energy first, most or least protein first; undefined: as the operator lists them. */
  readonly sort: Sort | undefined;
  /** Words that a menu must have, as typed; at most 100 characters. */
  readonly words: string;
  /** Words of which a menu may have none, as typed; at most 100 characters. */
  readonly without: string;
  /** Only menus that are a meal by themselves. */
  readonly mains: boolean;
  /** Extra dishes (추가찬) are left out. */
  readonly noExtras: boolean;
}

export const PLAIN_LOOK: Look = {
  sort: undefined,
  words: '',
  without: '',
  mains: false,
  noExtras: false,
};

/** The parameters of an address that say how to look. */
export const LOOK_PARAMETERS = ['sort', 'words', 'without', 'mains', 'noextras'] as const;

const MAX_WORDS_LENGTH = 100;
/** No text of a form's field has one. */
const SEPARATOR = '\n';

const wordsOf = (text = ''): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_WORDS_LENGTH);

/** From a query or a cookie. Both come from outside, so what cannot be read is left out. */
export function parseLook(
  asked: Readonly<Partial<Record<(typeof LOOK_PARAMETERS)[number], string | undefined>>>,
): Look {
  return {
    sort: SORTS.find((each) => each === asked.sort),
    words: wordsOf(asked.words),
    without: wordsOf(asked.without),
    mains: asked.mains === '1',
    noExtras: asked.noextras === '1',
  };
}

/** The look as parameters of an address; `sort` is always among them, so that the plain look can be asked for too. */
export function lookParameters({ sort, words, without, mains, noExtras }: Look): Record<string, string> {
  return {
    sort: sort ?? '',
    ...(words === '' ? {} : { words }),
    ...(without === '' ? {} : { without }),
    ...(mains ? { mains: '1' } : {}),
    ...(noExtras ? { noextras: '1' } : {}),
  };
}

/** The look as the value of a cookie, percent-encoded; empty for the plain one. */
export function encodeLook({ sort, words, without, mains, noExtras }: Look): string {
  const parts = [sort ?? '', words, without, mains ? '1' : '', noExtras ? '1' : ''];
  if (parts.every((part) => part === '')) return '';
  return encodeURIComponent(parts.join(SEPARATOR).toWellFormed());
}

/** @param cookie its value, percent-decoded */
export function decodeLook(cookie = ''): Look {
  const [sort, words, without, mains, noextras] = cookie.split(SEPARATOR);
  return parseLook({ sort, words, without, mains, noextras });
}

/** True when some dishes are left out. */
export function isFiltering({ words, without, mains, noExtras }: Look): boolean {
  return words !== '' || without !== '' || mains || noExtras;
}
