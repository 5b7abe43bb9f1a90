import { raw } from 'hono/html';
import type { FC } from 'hono/jsx';
import type { Menu } from 'menu-client';
import { type Look, SORTS } from '../../domain/look.ts';
import type { MyMeal } from '../../domain/my-meals.ts';
import { dayPath } from '../../domain/restaurant-path.ts';
import { commonMealLabel, foreignLanguage, linkTo, namesOf, type PageContext } from '../page-context.ts';
import { relativeDay } from './day-navigation.tsx';
import { markedHtml } from './marked.ts';
import { nutritionLine } from './nutrition.tsx';
import { PeriodNote } from './period-section.tsx';

/** How the dishes are sorted and which are shown; remembered in a cookie. */
export const LookForm: FC<{ page: PageContext; look: Look }> = ({ page, look }) => {
  const { text } = page;
  return (
    <form class="look" action="/">
      <label>
        <span class="quiet">{text.sortBy}</span>
        <select name="sort">
          {(['none', ...SORTS] as const).map((sort) => (
            <option value={sort === 'none' ? '' : sort} selected={(look.sort ?? 'none') === sort}>
              {text.sorts[sort]}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="quiet">{text.filterWords}</span>
        <input type="search" name="words" value={look.words} placeholder={text.filterWords} maxlength={100} />
      </label>
      {page.languageInLinks ? <input type="hidden" name="lang" value={page.language} /> : null}
      <button type="submit" class="plain">
        {text.applyLook}
      </button>
    </form>
  );
};

/** A dish in two or three lines: name, energy and protein, sides. */
const MyDish: FC<{ page: PageContext; menu: Menu; words: string }> = ({ page, menu, words }) => {
  const { text } = page;
  const { primary } = namesOf(page, menu);
  const sides = menu.components.filter(({ name }) => name !== menu.name);
  const names = sides.map((side) => namesOf(page, side).primary).join(', ');
  const marked = (name: string) => raw(markedHtml(name, words));
  return (
    <li class={menu.soldOut ? 'sold-out' : undefined}>
      <h4 lang={foreignLanguage(page, primary)}>
        {marked(primary)}
        {menu.serving === 'take-out' ? <span class="tag out">{text.takeout}</span> : null}
        {menu.soldOut ? <span class="tag sold">{text.soldOut}</span> : null}
      </h4>
      <p class="energy">{nutritionLine(page, menu.nutrition)}</p>
      {names === '' ? null : (
        <p class="sides" lang={foreignLanguage(page, names)}>
          {marked(names)}
        </p>
      )}
    </li>
  );
};

/** One restaurant's current meal, or that of its next open day. */
export const MyMealSection: FC<{ page: PageContext; meal: MyMeal; words: string }> = ({
  page,
  meal,
  words,
}) => {
  const { restaurant, date, period, menus } = meal;
  const { primary } = namesOf(page, restaurant);
  return (
    <div class="my-meal">
      <h3 lang={foreignLanguage(page, primary)}>
        <a href={`${linkTo(page, dayPath(restaurant, date))}#meal-${period.code}`}>{primary}</a>
        {date === page.today ? null : (
          <span class="tag out">{relativeDay(page, date) ?? page.text.date(date)}</span>
        )}
        <small class="as-of">{commonMealLabel(page, period)}</small>
      </h3>
      <PeriodNote page={page} period={period} />
      {menus.length === 0 ? null : (
        <ul>
          {menus.map((menu) => (
            <MyDish page={page} menu={menu} words={words} />
          ))}
        </ul>
      )}
    </div>
  );
};
