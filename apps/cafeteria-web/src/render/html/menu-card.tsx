import type { FC } from 'hono/jsx';
import type { Menu, Restaurant } from 'menu-client';
import { namesOf, type PageContext } from '../page-context.ts';
import { plainLine } from '../plain-text.ts';
import { MenuPhotoBox } from './menu-photo.tsx';
import { NutritionDisclosure } from './nutrition.tsx';

export interface MenuItemProps {
  readonly page: PageContext;
  readonly restaurant: Restaurant;
  readonly date: string;
  readonly menu: Menu;
  readonly eager?: boolean;
}

/** Corner and marks over a menu's name. */
export const MenuLabels: FC<{ page: PageContext; menu: Menu }> = ({ page, menu }) =>
  menu.corner === undefined && menu.serving === 'take-in' && !menu.soldOut ? null : (
    <p class="labels">
      {menu.corner === undefined ? null : <span class="corner">{plainLine(menu.corner)}</span>}
      {menu.serving === 'take-out' ? <span class="tag out">{page.text.takeout}</span> : null}
      {menu.soldOut ? <span class="tag sold">{page.text.soldOut}</span> : null}
    </p>
  );

const Sides: FC<{ page: PageContext; menu: Menu }> = ({ page, menu }) => {
  const sides = menu.components.filter((component) => component.name !== menu.name);
  if (sides.length === 0) return null;
  return <p class="sides">{sides.map((side) => namesOf(page, side).primary).join(', ')}</p>;
};

/** What a menu is: corner, name, sides. */
export const MenuText: FC<{ page: PageContext; menu: Menu }> = ({ page, menu }) => {
  const { primary, secondary } = namesOf(page, menu);
  return (
    <div class="text">
      <MenuLabels page={page} menu={menu} />
      <h3>{primary}</h3>
      {secondary === undefined ? null : (
        <p class="other-name" lang={page.language === 'ko' ? 'en' : 'ko'}>
          {secondary}
        </p>
      )}
      <Sides page={page} menu={menu} />
    </div>
  );
};

/** Photo on top: the gallery. */
export const MenuCard: FC<MenuItemProps> = ({ page, restaurant, date, menu, eager = false }) => (
  <li class={menu.soldOut ? 'card sold-out' : 'card'}>
    <MenuPhotoBox page={page} vendor={restaurant.vendor} menu={menu} eager={eager} />
    <MenuText page={page} menu={menu} />
    <NutritionDisclosure page={page} restaurant={restaurant} date={date} menu={menu} />
  </li>
);

/** Photo at the side: lists of one serving. */
export const MenuRow: FC<MenuItemProps> = ({ page, restaurant, date, menu, eager = false }) => (
  <li class={menu.soldOut ? 'row sold-out' : 'row'}>
    <MenuText page={page} menu={menu} />
    {menu.photo === undefined ? null : (
      <MenuPhotoBox page={page} vendor={restaurant.vendor} menu={menu} eager={eager} />
    )}
    <NutritionDisclosure page={page} restaurant={restaurant} date={date} menu={menu} />
  </li>
);
