import type { Span } from './takeout-marks.ts';

/** Coins for one meal, where a visitor says no other number. */
const DEFAULT_COINS = 4;
const MAX_COINS = 20;

/** The budget in coins, from a query; 1 to 20. */
export function parseBudget(text: string | undefined): number {
  const coins = /^\d{1,2}$/.test(text ?? '') ? Number(text) : DEFAULT_COINS;
  return Math.min(MAX_COINS, Math.max(1, coins));
}

/** The sum of what is taken; each as often as its count says. Undefined when nothing taken has a price in coins. */
export function sumCoins(
  taken: readonly { readonly coins: Span | undefined; readonly count: number }[],
): Span | undefined {
  const priced = taken.flatMap(({ coins, count }) => (coins === undefined ? [] : [{ ...coins, count }]));
  if (priced.length === 0) return undefined;
  return {
    min: priced.reduce((sum, { min, count }) => sum + min * count, 0),
    max: priced.reduce((sum, { max, count }) => sum + max * count, 0),
  };
}
