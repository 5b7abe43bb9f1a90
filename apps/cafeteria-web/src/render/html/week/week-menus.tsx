import type { FC } from 'hono/jsx';
import type { MealPeriod, Menu } from 'menu-client';
import { formatAmount } from '../../../domain/dish/nutrients.ts';
import { foreignLanguage, namesOf, type PageContext } from '../../page-context.ts';
import { PeriodNote } from '../parts/period-section.tsx';

/** What the week says of a menu: its name, then what is small. */
export function weekLine(page: PageContext, menu: Menu): readonly [name: string, ...marks: string[]] {
  const { serving, soldOut, nutrition } = menu;
  const kcal = nutrition?.caloriesKcal;
  return [
    namesOf(page, menu).primary,
    ...(serving === 'take-out' ? [page.text.takeout] : []),
    ...(soldOut ? [page.text.soldOut] : []),
    ...(kcal === undefined ? [] : [`${formatAmount(kcal)} kcal`]),
  ];
}

/** The menus of a meal by name, with their energy; without any, why. */
export const WeekMenus: FC<{ page: PageContext; period: MealPeriod }> = ({ page, period }) => (
  <>
    {period.status === 'empty' ? (
      <p class="none">{page.text.status.empty}</p>
    ) : (
      <PeriodNote page={page} period={period} />
    )}
    {period.menus.length === 0 ? null : (
      <ul>
        {period.menus.map((menu) => {
          const [name, ...marks] = weekLine(page, menu);
          return (
            <li lang={foreignLanguage(page, name)}>
              {name}
              {marks.map((mark) => (
                <small> {mark}</small>
              ))}
            </li>
          );
        })}
      </ul>
    )}
  </>
);
