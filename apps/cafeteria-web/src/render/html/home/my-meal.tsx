import type { FC } from 'hono/jsx';
import type { MealPeriod, Menu } from 'menu-client';
import type { MyMeal } from '../../../domain/my-meals.ts';
import { dayPath } from '../../../domain/restaurant-path.ts';
import {
  commonMealLabel,
  foreignLanguage,
  linkTo,
  namesOf,
  type PageContext,
  placesBeside,
} from '../../page-context.ts';
import { dishListData, MenuItem } from '../menu/menu-card.tsx';
import { PeriodNote } from '../parts/period-section.tsx';

interface MyMealProps {
  readonly page: PageContext;
  readonly meal: MyMeal;
  /** The meal that the page is about, in words. */
  readonly mealName: string;
  /** True when all dishes are to be seen at once, those to take away too. @default false */
  readonly open?: boolean;
  /** How many of the first photos load at once. */
  readonly eagerPhotos: number;
  /** True when the service worker may keep the restaurant's page before it is asked for. @default false */
  readonly ahead?: boolean;
}

/** Cards in one row, which scrolls sideways. */
const Strip: FC<MyMealProps & { period: MealPeriod; menus: readonly Menu[] }> = (props) => {
  const { page, meal, period, menus, eagerPhotos } = props;
  const { restaurant, date } = meal;
  return (
    <ul class="strip" {...dishListData(page, restaurant)}>
      {menus.map((menu, at) => (
        <MenuItem
          kind="card"
          page={page}
          restaurant={restaurant}
          date={date}
          periodCode={period.code}
          menu={menu}
          eager={at < eagerPhotos}
        />
      ))}
    </ul>
  );
};

/** One restaurant's meal: what is eaten there as cards, what is taken away folded. */
export const MyMealSection: FC<MyMealProps> = (props) => {
  const { page, meal, mealName, open = false, ahead = false } = props;
  const { text } = page;
  const { restaurant, date, period, menus } = meal;
  const { primary } = namesOf(page, restaurant);
  const [place] = placesBeside(page, restaurant).slice(-1);
  const label = period === undefined ? mealName : commonMealLabel(page, period);
  const served = (serving: Menu['serving']) => menus.filter((menu) => menu.serving === serving);
  const [takeIn, takeOut] = [served('take-in'), served('take-out')];
  const anchor = period === undefined ? '' : `#meal-${period.code}`;
  return (
    <section class="my-meal">
      <h2 lang={foreignLanguage(page, primary)}>
        <a
          href={`${linkTo(page, dayPath(restaurant, date))}${anchor}`}
          {...(ahead ? { 'data-ahead': true } : {})}
        >
          {primary}
        </a>
        {place === undefined ? null : <small lang={foreignLanguage(page, place)}>{place}</small>}
        {label === mealName ? null : <span class="tag out">{label}</span>}
      </h2>
      {period === undefined ? (
        <p class="note">{text.noSuchMeal(label)}</p>
      ) : (
        <>
          <PeriodNote page={page} period={period} />
          {takeIn.length === 0 ? null : <Strip {...props} period={period} menus={takeIn} />}
          {takeOut.length === 0 ? null : (
            <details class="takeouts" open={open || takeIn.length === 0}>
              <summary>{text.takeoutCount(takeOut.length)}</summary>
              <Strip {...props} period={period} menus={takeOut} eagerPhotos={0} />
            </details>
          )}
        </>
      )}
    </section>
  );
};
