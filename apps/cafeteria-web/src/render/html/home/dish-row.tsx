import type { FC } from 'hono/jsx';
import type { DishMatch } from 'menu-client';
import { dishesOf } from '../../../domain/dish/dishes-of.ts';
import { dayPath } from '../../../domain/restaurant-path.ts';
import {
  commonMealLabel,
  foreignLanguage,
  linkTo,
  namesOf,
  type PageContext,
  placedName,
} from '../../page-context.ts';
import { DishHeading } from '../menu/dish-heading.tsx';
import { MenuPhotoBox } from '../menu/menu-photo.tsx';
import { nutritionLine } from '../menu/nutrition.tsx';
import { relativeDay } from '../parts/day-navigation.tsx';
import { Marked } from '../parts/marked.tsx';

/** A menu that has the dish: when, what, where. */
export const DishRow: FC<{ page: PageContext; match: DishMatch; query: string }> = (props) => {
  const { page, match, query } = props;
  const { text } = page;
  const { restaurant, date, period, menu, found } = match;
  const place = placedName(page, restaurant);
  const sides = dishesOf(menu).filter(({ name }) => name !== menu.name);
  const marked = (name: string) => <Marked text={name} query={query} />;
  const when = text.mealOf(relativeDay(page, date) ?? text.date(date), commonMealLabel(page, period));
  return (
    <li class={menu.soldOut ? 'row dish sold-out' : 'row dish'}>
      <div class="text">
        <p class="labels">
          <span class="corner">{when}</span>
          {menu.serving === 'take-out' ? <span class="tag out">{text.takeout}</span> : null}
          {menu.soldOut ? <span class="tag sold">{text.soldOut}</span> : null}
          {period.status === 'stale' ? <span class="tag out">{text.status.stale}</span> : null}
        </p>
        <DishHeading page={page} level="h3" dish={menu} shown={marked} />
        {found === 'menu' || sides.length === 0 ? null : (
          <p class="sides">{marked(sides.map((side) => namesOf(page, side).primary).join(', '))}</p>
        )}
        <p class="sides">
          <a
            href={`${linkTo(page, dayPath(restaurant, date))}#meal-${period.code}`}
            lang={foreignLanguage(page, place)}
          >
            {place}
          </a>
        </p>
        <p class="energy">{nutritionLine(page, menu.nutrition)}</p>
      </div>
      <MenuPhotoBox page={page} vendor={restaurant.vendor} menu={menu} />
    </li>
  );
};
