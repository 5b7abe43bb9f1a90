import type { FC } from 'hono/jsx';
import type { Bundle, DailyMenu, MealPeriod, Menu } from 'menu-client';
import { periodsInOrder } from '../../domain/day/day-view.ts';
import { toText } from '../html/frame/document.ts';
import { nutritionLine } from '../html/menu/nutrition.tsx';
import { bundleNote } from '../notes/bundle-note.ts';
import { shownChanges } from '../notes/day-changes.ts';
import { periodNote } from '../notes/period-note.ts';
import { mealLabel, namesOf, type PageContext } from '../page-context.ts';
import { plainLine } from '../plain-text.ts';

/** A list of the items of a bundle, each with its own nutrition, after any note about them. */
const Items: FC<{ page: PageContext; bundle: Bundle }> = ({ page, bundle }) => {
  const note = bundleNote(page, bundle);
  const items = bundle.items.map(({ name, nutrition }) =>
    [plainLine(name), nutritionLine(page, nutrition)].filter((part) => part !== '').join(' · '),
  );
  return (
    <>
      {note === undefined ? null : [<br />, note]}
      {items.length === 0 ? null : (
        <ul>
          {items.map((item) => (
            <li>{item}</li>
          ))}
        </ul>
      )}
    </>
  );
};

const MenuLine: FC<{ page: PageContext; menu: Menu }> = ({ page, menu }) => {
  const { text } = page;
  const { corner, bundle } = menu;
  const { primary, secondary } = namesOf(page, menu);
  const marks = [
    ...(menu.serving === 'take-out' ? [text.takeout] : []),
    ...(menu.soldOut ? [text.soldOut] : []),
    nutritionLine(page, menu.nutrition),
  ].filter((mark) => mark !== '');
  const isListed = bundle !== undefined && bundle.items.length > 0;
  const sides = isListed ? [] : menu.components.filter((component) => component.name !== menu.name);
  return (
    <li>
      {corner === undefined ? null : [<b>{plainLine(corner)}</b>, ' ']}
      {secondary === undefined ? primary : `${primary} (${secondary})`}
      {marks.map((mark) => ` · ${mark}`)}
      {sides.length === 0 ? null : [<br />, sides.map((side) => namesOf(page, side).primary).join(', ')]}
      {bundle === undefined ? null : <Items page={page} bundle={bundle} />}
    </li>
  );
};

/** The menus of a meal, after any note about them, with what changed since the morning. */
export function periodHtml(page: PageContext, period: MealPeriod): string {
  const note = periodNote(page, period);
  const changes = shownChanges(page, period);
  return toText(
    <>
      {note === undefined ? null : <p>{note}</p>}
      <ul>
        {period.menus.map((menu) => (
          <MenuLine page={page} menu={menu} />
        ))}
      </ul>
      {changes.length === 0 ? null : (
        <ul>
          {changes.map(({ clock, kind, name }) => (
            <li>{`${clock} ${kind}: ${name}`}</li>
          ))}
        </ul>
      )}
    </>,
  );
}

/** Why a meal has no menus. */
export function unreadHtml(page: PageContext, period: MealPeriod): string {
  return toText(<p>{periodNote(page, period)}</p>);
}

// One feed has thousands of days: this keeps it to a length that readers still accept.
const MAX_NAMES_OF_A_MEAL = 5;

/** The names of a day's first menus, meal by meal. */
export function dayHtml(page: PageContext, day: DailyMenu): string {
  const periods = periodsInOrder(day).filter(({ menus }) => menus.length > 0);
  return toText(
    <>
      {periods.map((period, index) => {
        const names = period.menus.slice(0, MAX_NAMES_OF_A_MEAL).map((menu) => namesOf(page, menu).primary);
        const rest = period.menus.length - names.length;
        return (
          <>
            {index === 0 ? null : <br />}
            <b>{mealLabel(page, period)}</b> {names.join(', ')}
            {rest > 0 ? ` +${rest}` : null}
            {period.status === 'stale' ? ` (${page.text.status.stale})` : null}
          </>
        );
      })}
    </>,
  );
}
