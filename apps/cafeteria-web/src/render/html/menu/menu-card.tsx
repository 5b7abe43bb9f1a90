import type { FC } from 'hono/jsx';
import type { MealCode, Menu, Restaurant } from 'menu-client';
import { alarmKey, alarmPath, menuPath } from '../../../domain/restaurant-path.ts';
import { takeoutMarks } from '../../../domain/takeout/takeout-marks.ts';
import { foreignLanguage, inLanguage, linkTo, namesOf, type PageContext } from '../../page-context.ts';
import { plainLine } from '../../plain-text.ts';
import { type Filling, template, templateIn } from '../frame/template.ts';
import { BundleItems, BundleNote, bundleLine, itemChoices } from './bundle.tsx';
import { DishHeading } from './dish-heading.tsx';
import { menuPhoto } from './menu-photo.tsx';
import { hasDetail, isKnown, nutritionFacts, nutritionLine } from './nutrition.tsx';

export interface MenuItemProps {
  readonly page: PageContext;
  readonly restaurant: Restaurant;
  readonly date: string;
  readonly periodCode: MealCode;
  readonly menu: Menu;
  readonly eager?: boolean;
}

// Every menu of a page has these.

const labels = template<[corner: Filling, takeout: Filling, soldOut: Filling]>((corner, takeout, soldOut) => (
  <p class="labels">
    {corner}
    {takeout}
    {soldOut}
  </p>
));
const corner = templateIn<[name: string]>((lang, name) => (
  <span class="corner" lang={lang}>
    {name}
  </span>
));
const takeoutTag = template<[label: string]>((label) => <span class="tag out">{label}</span>);
const soldTag = template<[label: string]>((label) => <span class="tag sold">{label}</span>);
const sides = templateIn<[names: string]>((lang, names) => (
  <p class="sides" lang={lang}>
    {names}
  </p>
));
const energy = template<[line: string]>((line) => <p class="energy">{line}</p>);
const hidden = template<[facts: Filling]>((facts) => <template>{facts}</template>);
const item = template<[kind: string, opens: string, photo: Filling, text: Filling, facts: Filling]>(
  (kind, opens, photo, text, facts) => (
    <li class={kind} data-dish={opens}>
      {photo}
      <div class="text">{text}</div>
      {facts}
    </li>
  ),
);

function labelsOf(page: PageContext, menu: Menu) {
  const { serving, soldOut } = menu;
  if (menu.corner === undefined && serving === 'take-in' && !soldOut) return null;
  return labels(
    menu.corner === undefined ? null : corner(foreignLanguage(page, menu.corner), plainLine(menu.corner)),
    serving === 'take-out' ? takeoutTag(page.text.takeout) : null,
    soldOut ? soldTag(page.text.soldOut) : null,
  );
}

/** Corner and marks over a menu's name. */
export const MenuLabels: FC<{ page: PageContext; menu: Menu }> = ({ page, menu }) => labelsOf(page, menu);

function sidesOf(page: PageContext, menu: Menu): Filling {
  const dishes = menu.components.filter(({ name }) => name !== menu.name);
  // The items of a bundle are listed in full elsewhere.
  if (dishes.length === 0 || (menu.bundle?.items.length ?? 0) > 0) return null;
  const names = dishes.map((dish) => namesOf(page, dish).primary).join(', ');
  return sides(foreignLanguage(page, names), names);
}

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
function factsOf(props: MenuItemProps): Filling {
  const { page, menu } = props;
  const { bundle } = menu;
  const line = bundle === undefined ? nutritionLine(page, menu.nutrition) : bundleLine(page, menu);
  const shown = line === '' ? null : energy(line);
  if (bundle === undefined) return [shown, isKnown(menu) ? hidden(nutritionFacts(page, menu)) : null];
  const items = itemChoices(menu).length > 0 ? hidden(<BundleItems {...props} />) : null;
  return [<BundleNote page={page} bundle={bundle} />, shown, items];
}

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
  const href = linkTo(page, menuPath(restaurant, date, menu.id));
  return item(
    menu.soldOut ? `${kind} sold-out` : kind,
    opens,
    menuPhoto({ page, vendor: restaurant.vendor, menu, eager, link: false }),
    [
      labelsOf(page, menu),
      <DishHeading page={page} level="h3" dish={menu} href={href} />,
      sidesOf(page, menu),
    ],
    factsOf(props),
  );
};
