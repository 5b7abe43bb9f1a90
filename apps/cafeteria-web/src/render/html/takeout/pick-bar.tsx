import type { FC } from 'hono/jsx';
import { choicesOf, type MealPeriod } from 'menu-client';
import { formatAmount, NUTRIENTS, sumNutrition } from '../../../domain/dish/nutrients.ts';
import { sumCoins } from '../../../domain/takeout/budget.ts';
import type { Picks } from '../../../domain/takeout/picks.ts';
import { spanText, takeoutMarks } from '../../../domain/takeout/takeout-marks.ts';
import type { PageContext } from '../../page-context.ts';
import { pickValue } from '../menu/bundle.tsx';

export interface Offered {
  readonly period: MealPeriod;
  /** What comes before each pick of this meal. @default '' */
  readonly prefix?: string;
}

interface PickBarProps {
  readonly page: PageContext;
  readonly offered: readonly Offered[];
  readonly picked: Picks;
  /** In coins. */
  readonly budget: number;
  /** Where nothing is picked. */
  readonly clearPath: string;
}

/** What is taken, each as often as it is. */
function takenOf(offered: readonly Offered[], picked: Picks) {
  return offered.flatMap(({ period, prefix = '' }) =>
    choicesOf(period.menus).flatMap((choice) => {
      const count = picked.get(prefix + pickValue(period.code, choice)) ?? 0;
      const coins = takeoutMarks(choice.name).coins ?? takeoutMarks(choice.menu.name).coins;
      return count === 0 ? [] : [{ count, coins, nutrition: choice.nutrition }];
    }),
  );
}

/** At the foot of the screen: `2/4 코인 · 950 kcal`, which unfolds to all sums. */
export const PickBar: FC<PickBarProps> = ({ page, offered, picked, budget, clearPath }) => {
  const { text } = page;
  const taken = takenOf(offered, picked);
  const count = taken.reduce((sum, each) => sum + each.count, 0);
  const { total, missing } = sumNutrition(
    taken.flatMap(({ nutrition, count: times }) => Array.from({ length: times }, () => nutrition)),
  );
  const coins = sumCoins(taken);
  const kcal = total.caloriesKcal;
  const line = [
    coins === undefined ? text.pickSum(count) : text.coinsOf(spanText(coins), String(budget)),
    ...(kcal === undefined ? [] : [`${formatAmount(kcal)} kcal`]),
  ].join(' · ');
  const over = coins !== undefined && coins.min > budget;
  return (
    <details class={over ? 'pick-bar over-budget' : 'pick-bar'}>
      <summary>
        <output
          data-sum-of={text.pickSum(7)}
          data-none={text.pickNone}
          data-coins-of={text.coinsOf('{coins}', '{budget}')}
        >
          <strong>{count === 0 ? text.pickNone : line}</strong>
        </output>
        <span class="unfold">{text.pickMore}</span>
      </summary>
      <span class="sums">
        {NUTRIENTS.map(({ key, unit }) => {
          const amount = total[key];
          const unknown = missing[key];
          return (
            <span
              data-sum={key}
              data-unit={unit}
              data-missing={text.pickMissing(0)}
              hidden={amount === undefined}
            >
              {text.nutrients[key]}{' '}
              <b>
                {amount === undefined ? '' : `${formatAmount(amount)} ${unit}`}
                {unknown === undefined ? '' : ` ${text.pickMissing(unknown)}`}
              </b>
            </span>
          );
        })}
      </span>
      <span class="buttons">
        <label>
          {text.budget} <input type="number" name="coins" min={1} max={20} value={budget} />
        </label>
        <a href={clearPath} hidden={count === 0}>
          {text.pickClear}
        </a>
      </span>
    </details>
  );
};
