import type { Nutrition } from '../domain/menu.ts';

/** A value under construction, to which known members are added one by one. */
export type Draft<T> = { -readonly [K in keyof T]: T[K] };

/** An object of an answer of which these members are read, each for itself by what it holds. */
export type Row<Member extends string> = { readonly [K in Member]?: unknown };

/** The value as a row; undefined if it is not a JSON object. */
export function asRow(value: unknown): Row<string> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

const MAX_TEXT_LENGTH = 500;
/** Something visible: no whitespace, nothing without width, no lone surrogate. */
const SEEN = /[^\s\p{C}\p{Default_Ignorable_Code_Point}]/u;
const QUANTITY = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/;

/** The trimmed text of a member, well-formed, or undefined if nothing is visible; longer texts are cut. */
export function text(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (!SEEN.test(value)) return undefined;
  const trimmed = value.trim().toWellFormed();
  if (trimmed.length <= MAX_TEXT_LENGTH) return trimmed;
  return trimmed.slice(0, MAX_TEXT_LENGTH).replace(/[\ud800-\udbff]$/, '');
}

/** A code as text: a few are numbers in some answers. */
export function code(value: unknown): string | undefined {
  return Number.isSafeInteger(value) ? String(value) : text(value);
}

/** A quantity of 0 or more: a number, or digits with or without thousands commas ("1,475"). */
export function quantity(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const trimmed = value.trim();
  if (!QUANTITY.test(trimmed)) return undefined;
  return Number(trimmed.includes(',') ? trimmed.replaceAll(',', '') : trimmed);
}

/** The given members without the unknown ones; undefined if all are unknown or zero. */
export function nutrition(members: { readonly [K in keyof Nutrition]: unknown }): Nutrition | undefined {
  const known: Draft<Nutrition> = {};
  let positive = false;
  for (const name in members) {
    // The parameter's type has no other members.
    const amount = quantity(members[name as keyof Nutrition]);
    if (amount === undefined) continue;
    known[name as keyof Nutrition] = amount;
    positive ||= amount > 0;
  }
  return positive ? known : undefined;
}

const NOT_RESTAURANTS = /^x$|test|테스트|운영종료|^식당없음$/;

/** True for entries of an operator that are not places to eat. */
export function isHiddenRestaurant({ id, name }: { readonly id: string; readonly name: string }): boolean {
  const folded = name.normalize('NFKC').toLowerCase().replace(/\s+/g, '');
  return NOT_RESTAURANTS.test(folded) || id === 'REST999999';
}

/** Breadcrumbs trimmed, without empty ones, the restaurant's own name and repeats. */
export function locationOf(crumbs: readonly string[], ownName: string): readonly string[] {
  const kept = new Set(crumbs.map((crumb) => crumb.trim()).filter((crumb) => crumb !== ''));
  kept.delete(ownName);
  return [...kept];
}
