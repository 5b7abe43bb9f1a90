import { type MealPeriod, nextMealMs, type Restaurant, seoulToday } from 'menu-client';
import type { PhotoLook } from '../photos/photo-shelf.ts';
import type { Language } from './i18n/language.ts';
import { MESSAGES, type Messages } from './i18n/messages.ts';
import { plainLine } from './plain-text.ts';

/** What every page is rendered with besides its own value; nothing in it identifies the visitor. */
export interface PageContext {
  /** Scheme and authority of absolute links, without a slash at the end. */
  readonly origin: string;
  /** The domain that permanent names are under; it does not change with the address of a request. */
  readonly authority: string;
  readonly language: Language;
  /** True when the address names the language: links then keep it. */
  readonly languageInLinks: boolean;
  readonly text: Messages;
  /** Today in Seoul, `YYYY-MM-DD`. */
  readonly today: string;
  /** When the meal of the moment may be another one, in ms since the epoch. */
  readonly momentUntilMs: number;
  /** True with the sandbox operators; every page then says so. */
  readonly sampleData: boolean;
  /** Address of a static file by its plain name, with the hash of its bytes. */
  readonly assetUrl: (name: string) => string;
  /** Which photos are known to be there. */
  readonly photos: Pick<PhotoLook, 'stateOf'>;
}

/** What a feed is rendered with when no request asked for it: Korean. */
export function feedPage(options: {
  readonly origin: string;
  readonly authority: string;
  readonly nowMs: number;
  readonly sampleData: boolean;
  readonly assetUrl: (name: string) => string;
  readonly photos: PageContext['photos'];
}): PageContext {
  const { origin, authority, nowMs, sampleData, assetUrl, photos } = options;
  return {
    origin,
    authority,
    language: 'ko',
    languageInLinks: false,
    text: MESSAGES.ko,
    today: seoulToday(nowMs),
    momentUntilMs: nextMealMs(nowMs),
    sampleData,
    assetUrl,
    photos,
  };
}

/** A path of this site as a link on the page, keeping its language. */
export function linkTo(
  page: PageContext,
  path: string,
  query: Readonly<Record<string, string>> = {},
): string {
  // Most links have no query of their own, and a page has many.
  if (Object.keys(query).length === 0) return page.languageInLinks ? `${path}?lang=${page.language}` : path;
  const parameters = new URLSearchParams(query);
  if (page.languageInLinks) parameters.set('lang', page.language);
  return `${path}?${parameters.toString()}`;
}

/** A path that has a query of its own, as a link that keeps the language. */
export function inLanguage(page: PageContext, path: string): string {
  return page.languageInLinks ? `${path}${path.includes('?') ? '&' : '?'}lang=${page.language}` : path;
}

/** What people call the meal: the operator's own label, or the English word for it where there is one. */
export function mealLabel(page: PageContext, { code, label }: Pick<MealPeriod, 'code' | 'label'>): string {
  return (page.language === 'en' ? page.text.meals[code] : undefined) ?? plainLine(label);
}

/** Our word for the meal, for what covers several restaurants; the operator's where we have none. */
export function commonMealLabel(
  page: PageContext,
  { code, label }: Pick<MealPeriod, 'code' | 'label'>,
): string {
  return page.text.meals[code] ?? plainLine(label);
}

const HANGUL = /[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]/;

/** `ko` for text of an operator that is Korean on an English page, so that it is read out as such (WCAG 3.1.2). */
export function foreignLanguage(page: PageContext, text: string): 'ko' | undefined {
  return page.language === 'en' && HANGUL.test(text) ? 'ko' : undefined;
}

/** Name in the page's language; on English pages also the Korean one, which is on the signs. Each is one line. */
export function namesOf(
  page: PageContext,
  named: { readonly name: string; readonly nameEn?: string },
): { readonly primary: string; readonly secondary: string | undefined } {
  const name = plainLine(named.name);
  const nameEn = named.nameEn === undefined ? undefined : plainLine(named.nameEn);
  if (nameEn === undefined || nameEn === '' || nameEn === name)
    return { primary: name, secondary: undefined };
  return page.language === 'en'
    ? { primary: nameEn, secondary: name }
    : { primary: name, secondary: undefined };
}

/** A dish's name as it is on the signs; on English pages also the English one, where it differs. Each is one line. */
export function dishNamesOf(
  page: PageContext,
  dish: { readonly name: string; readonly nameEn?: string },
): { readonly korean: string; readonly english: string | undefined } {
  const { primary, secondary } = namesOf(page, dish);
  return secondary === undefined
    ? { korean: primary, english: undefined }
    : { korean: secondary, english: primary };
}

/** Where a restaurant is, from wide to narrow, in the page's language where the operator has it; each one line. */
export function placesOf(
  page: PageContext,
  { location, locationEn }: { readonly location: readonly string[]; readonly locationEn?: readonly string[] },
): readonly string[] {
  return (page.language === 'en' ? (locationEn ?? location) : location).map(plainLine);
}

type Placed = Pick<Restaurant, 'name' | 'nameEn' | 'location' | 'locationEn'>;

/** Where a restaurant is, without what its name says already. */
export function placesBeside(page: PageContext, restaurant: Placed): readonly string[] {
  const name = namesOf(page, restaurant).primary;
  return placesOf(page, restaurant).filter((place) => !name.includes(place));
}

/** The name with company and narrowest place, since many restaurants are called the same: `스낵바 (영남권 · 미리내전자 구미)`. */
export function placedName(page: PageContext, restaurant: Placed): string {
  const name = namesOf(page, restaurant).primary;
  const places = placesBeside(page, restaurant);
  const ends = new Set([places[0], places.at(-1)].filter((place) => place !== undefined));
  return ends.size === 0 ? name : `${name} (${[...ends].join(' · ')})`;
}
