import type { FC } from 'hono/jsx';
import type { MealPeriod, Menu, Restaurant } from 'menu-client';
import { dayPath, menuPath, restaurantPath } from '../../domain/restaurant-path.ts';
import { linkTo, mealLabel, namesOf, type PageContext } from '../page-context.ts';
import { toDocument } from './frame/document.ts';
import { Layout } from './frame/layout.tsx';
import { BundleNote, ListedItems } from './menu/bundle.tsx';
import { DishHeading } from './menu/dish-heading.tsx';
import { AlarmLink, MenuLabels } from './menu/menu-card.tsx';
import { MenuPhotoBox } from './menu/menu-photo.tsx';
import { dishTable, totalsTable } from './menu/nutrition-tables.tsx';

export interface MenuPageModel {
  readonly restaurant: Restaurant;
  readonly date: string;
  readonly period: MealPeriod;
  readonly menu: Menu;
  /** True when the details of this menu could not be read. */
  readonly detailFailed: boolean;
}

/** The menu's restaurant, day and meal, each a link. */
const Whereabouts: FC<{ page: PageContext; model: MenuPageModel }> = ({ page, model }) => {
  const { restaurant, date, period } = model;
  const day = linkTo(page, dayPath(restaurant, date));
  return (
    <p class="place">
      <span>
        <a href={linkTo(page, restaurantPath(restaurant))}>{namesOf(page, restaurant).primary}</a>
      </span>
      <span>
        <a href={day}>{page.text.date(date)}</a>
      </span>
      <span>
        <a href={`${day}#meal-${period.code}`}>{mealLabel(page, period)}</a>
      </span>
    </p>
  );
};

/** One menu with its nutrition in full: of the whole menu and dish by dish. */
export function renderMenuPage(page: PageContext, model: MenuPageModel): string {
  const { restaurant, date, menu, detailFailed } = model;
  const { text } = page;
  const title = text.nutritionOf(namesOf(page, menu).primary);
  const { bundle } = menu;
  const isListed = bundle !== undefined && bundle.items.length > 0;
  const sides = isListed ? [] : menu.components.filter(({ name }) => name !== menu.name);
  return toDocument(
    <Layout
      page={page}
      title={`${title} | ${text.siteName}`}
      description={`${title}: ${namesOf(page, restaurant).primary}, ${text.longDate(date)}`}
      path={menuPath(restaurant, date, menu.id)}
      indexed={false}
      scripts={['photos.js']}
    >
      <article class={menu.soldOut ? 'menu sold-out' : 'menu'}>
        <div>
          <Whereabouts page={page} model={model} />
          <MenuLabels page={page} menu={menu} />
          <DishHeading page={page} level="h1" dish={menu} />
          {menu.photo === undefined ? null : (
            <MenuPhotoBox page={page} vendor={restaurant.vendor} menu={menu} eager />
          )}
          {sides.length === 0 ? null : (
            <p class="sides">{sides.map((side) => namesOf(page, side).primary).join(', ')}</p>
          )}
        </div>
        <div>
          <h2>{text.nutrition}</h2>
          {bundle === undefined ? (
            <>
              {detailFailed ? <p class="note warn">{text.byDishFailed}</p> : null}
              {menu.nutrition === undefined ? <p class="note">{text.noNutrition}</p> : null}
              <div class="scroll" tabindex={0} role="region" aria-label={title}>
                {totalsTable(page, menu.nutrition, title)}
                {dishTable(page, menu, title)}
              </div>
            </>
          ) : (
            <>
              <BundleNote page={page} bundle={bundle} />
              <ListedItems page={page} menu={menu} />
            </>
          )}
          {bundle === undefined ? <AlarmLink page={page} restaurant={restaurant} menu={menu} /> : null}
        </div>
      </article>
    </Layout>,
  );
}
