import type { FC } from 'hono/jsx';
import type { MealCode, Menu, Restaurant } from 'menu-client';
import { alarmKey, alarmPath, menuPath } from '../../domain/restaurant-path.ts';
import { takeoutMarks } from '../../domain/takeout/takeout-marks.ts';
import { foreignLanguage, inLanguage, linkTo, namesOf, type PageContext } from '../page-context.ts';
import { plainLine } from '../plain-text.ts';
import { BundleItems, BundleNote, bundleLine, itemChoices } from './bundle.tsx';
import { DishHeading } from './dish-heading.tsx';
import { MenuPhotoBox } from './menu-photo.tsx';
import { hasDetail, isKnown, nutritionFacts, nutritionLine } from './nutrition.tsx';

export interface MenuItemProps {
  readonly page: PageContext;
  readonly restaurant: Restaurant;
  readonly date: string;
  readonly periodCode: MealCode;
  readonly menu: Menu;
  readonly eager?: boolean;
}

/** Corner and marks over a menu's name. */
export const MenuLabels: FC<{ page: PageContext; menu: Menu }> = ({ page, menu }) => {
  const { corner, serving, soldOut } = menu;
  if (corner === undefined && serving === 'take-in' && !soldOut) return null;
  return (
    <p class="labels">
      {corner === undefined ? null : (
        <span class="corner" lang={foreignLanguage(page, corner)}>
          {plainLine(corner)}
        </span>
      )}
      {serving === 'take-out' ? <span class="tag out">{page.text.takeout}</span> : null}
      {soldOut ? <span class="tag sold">{page.text.soldOut}</span> : null}
    </p>
  );
};

const Sides: FC<{ page: PageContext; menu: Menu }> = ({ page, menu }) => {
  const sides = menu.components.filter(({ name }) => name !== menu.name);
  // The items of a bundle are listed in full elsewhere.
  if (sides.length === 0 || (menu.bundle?.items.length ?? 0) > 0) return null;
  const names = sides.map((side) => namesOf(page, side).primary).join(', ');
  return (
    <p class="sides" lang={foreignLanguage(page, names)}>
      {names}
    </p>
  );
};

/** Where an alarm for the days of this dish, at this restaurant, is set. */
export const AlarmLink: FC<Pick<MenuItemProps, 'page' | 'restaurant' | 'menu'>> = (props) => {
  const { page, restaurant, menu } = props;
  const path = alarmPath('alarm', takeoutMarks(menu.name).name, [alarmKey(restaurant)]);
  return (
    <p class="more">
      <a href={inLanguage(page, path)} rel="nofollow">
        {page.text.alarmTitle}
      </a>
    </p>
  );
};

/** The energy in a line; in a template what the script shows when the card is opened, as far as it cannot make it up. */
const Facts: FC<MenuItemProps> = (item) => {
  const { page, menu } = item;
  const { bundle } = menu;
  const line = bundle === undefined ? nutritionLine(page, menu.nutrition) : bundleLine(page, menu);
  const hasMore = bundle === undefined ? isKnown(menu) : itemChoices(menu).length > 0;
  return (
    <>
      {bundle === undefined ? null : <BundleNote page={page} bundle={bundle} />}
      {line === '' ? null : <p class="energy">{line}</p>}
      {hasMore ? (
        <template>{bundle === undefined ? nutritionFacts(page, menu) : <BundleItems {...item} />}</template>
      ) : null}
    </>
  );
};

/** For a list of cards or rows of one restaurant: of these the script makes the links of an opened dish. */
export function dishListData(page: PageContext, restaurant: Restaurant): Readonly<Record<string, string>> {
  return {
    'data-alarm': inLanguage(page, `/alarm?r=${encodeURIComponent(alarmKey(restaurant))}`),
    'data-alarm-label': page.text.alarmTitle,
    'data-more-label': page.text.byDish,
  };
}

/** A menu in a list: as a card with the photo on top, or as a row with the photo at the side. */
export const MenuItem: FC<MenuItemProps & { kind: 'card' | 'row' }> = (props) => {
  const { page, restaurant, date, menu, eager = false, kind } = props;
  // Bundles have no alarm: nobody waits for all of their things.
  const opens = menu.bundle === undefined ? (hasDetail(restaurant, menu) ? 'more' : '') : 'bundle';
  return (
    <li class={menu.soldOut ? `${kind} sold-out` : kind} data-dish={opens}>
      <MenuPhotoBox page={page} vendor={restaurant.vendor} menu={menu} eager={eager} link={false} />
      <div class="text">
        <MenuLabels page={page} menu={menu} />
        <DishHeading
          page={page}
          level="h3"
          dish={menu}
          titled={(name) => (
            // It covers the whole card, and the script opens the menu's own page in place.
            <a class="whole" href={linkTo(page, menuPath(restaurant, date, menu.id))} rel="nofollow">
              {name}
            </a>
          )}
        />
        <Sides page={page} menu={menu} />
      </div>
      <Facts {...props} />
    </li>
  );
};
