import type { FC } from 'hono/jsx';
import type { Menu, Nutrition } from 'menu-client';
import { isDrink } from '../../../domain/takeout/is-drink.ts';
import type { Picks } from '../../../domain/takeout/picks.ts';
import { spanText, type TakeoutMarks, takeoutMarks } from '../../../domain/takeout/takeout-marks.ts';
import { namesOf, type PageContext } from '../../page-context.ts';
import { plainLine } from '../../plain-text.ts';
import { BundleNote, ItemName, itemChoices, pickValue } from '../menu/bundle.tsx';
import { DishHeading } from '../menu/dish-heading.tsx';
import type { MenuItemProps } from '../menu/menu-card.tsx';
import { MenuPhotoBox } from '../menu/menu-photo.tsx';
import { FactsDisclosure, NutritionDisclosure } from '../menu/nutrition.tsx';

export interface TakeoutRowProps extends MenuItemProps {
  readonly picked: Picks;
  /** What comes before each pick, on a page of several restaurants. @default '' */
  readonly prefix?: string;
}

interface PickProps {
  readonly value: string;
  /** How many are taken. */
  readonly count: number;
}

/** A checkbox with all that the script adds up; what is taken more than once is named as often, for the form without it. */
const PickBox: FC<PickProps & { coins: TakeoutMarks['coins']; nutrition: Nutrition | undefined }> = (
  props,
) => {
  const { value, count, coins, nutrition = {} } = props;
  return (
    <>
      <input
        type="checkbox"
        name="pick"
        value={value}
        data-nutrition={JSON.stringify(nutrition)}
        data-coins={coins === undefined ? undefined : spanText(coins)}
        checked={count > 0}
        data-count={count > 0 ? count : undefined}
      />
      {Array.from({ length: Math.max(0, count - 1) }, () => (
        <input type="hidden" name="pick" value={value} />
      ))}
    </>
  );
};

/** How many are taken, with a button for one more; nothing when none is. */
const PickCount: FC<PickProps & { page: PageContext }> = ({ page, value, count }) =>
  count === 0 ? null : (
    <span class="count">
      <b>{count}</b>
      <button name="pick" value={value} aria-label={page.text.oneMore}>
        +
      </button>
    </span>
  );

/** Coins, choices and pieces as tags. */
const MarkTags: FC<{ page: PageContext; marks: TakeoutMarks }> = ({ page, marks }) => {
  const { text } = page;
  const { coins, picks, pieces } = marks;
  const tags = [
    ...(coins === undefined ? [] : [text.coins(spanText(coins))]),
    ...(picks === undefined ? [] : [text.picks(spanText(picks))]),
    ...(pieces === undefined ? [] : [text.pieces(pieces)]),
  ];
  return (
    <>
      {tags.map((tag) => (
        <span class="tag out">{tag}</span>
      ))}
    </>
  );
};

/** The head of a row: corner, marks, the name without them. */
const RowText: FC<{ page: PageContext; menu: Menu; marks: TakeoutMarks }> = ({ page, menu, marks }) => {
  const sides = menu.bundle === undefined ? menu.components.filter((side) => side.name !== menu.name) : [];
  const sideNames = sides.map((side) => namesOf(page, side).primary).join(', ');
  return (
    <div class="text">
      <p class="labels">
        {menu.corner === undefined ? null : <span class="corner">{plainLine(menu.corner)}</span>}
        <MarkTags page={page} marks={marks} />
        {menu.soldOut ? <span class="tag sold">{page.text.soldOut}</span> : null}
      </p>
      <DishHeading page={page} level="h3" dish={{ ...menu, name: marks.name }} />
      {sideNames === '' ? null : <p class="sides">{sideNames}</p>}
    </div>
  );
};

/** The items of a bundle as a list, each with a checkbox; nothing without items. */
const PickableItems: FC<TakeoutRowProps & { marks: TakeoutMarks }> = (props) => {
  const { page, menu, periodCode, picked, prefix = '', marks } = props;
  const choices = itemChoices(menu);
  if (choices.length === 0) return null;
  return (
    <ul class="items">
      {choices.map((choice) => {
        const own = takeoutMarks(choice.name);
        const value = prefix + pickValue(periodCode, choice);
        const pick = { value, count: picked.get(value) ?? 0 };
        return (
          <li data-drink={isDrink(own.name) ? '' : undefined}>
            <label>
              <PickBox {...pick} coins={own.coins ?? marks.coins} nutrition={choice.nutrition} />{' '}
              <ItemName page={page} name={choice.name} />
            </label>
            <PickCount page={page} {...pick} />
            <FactsDisclosure page={page} name={choice.name} nutrition={choice.nutrition} />
          </li>
        );
      })}
    </ul>
  );
};

/** A row with a checkbox, or with one per item of a bundle. The script adds up; without it, the form does. */
export const TakeoutRow: FC<TakeoutRowProps> = (props) => {
  const { page, restaurant, date, menu, periodCode, picked, eager = false, prefix = '' } = props;
  const marks = takeoutMarks(menu.name);
  const photo = <MenuPhotoBox page={page} vendor={restaurant.vendor} menu={menu} eager={eager} />;
  const kind = menu.soldOut ? 'row sold-out' : 'row';
  if (menu.bundle !== undefined)
    return (
      <li class={`${kind} bundle`}>
        <RowText page={page} menu={menu} marks={marks} />
        {photo}
        <BundleNote page={page} bundle={menu.bundle} />
        <PickableItems {...props} marks={marks} />
      </li>
    );
  const value = `${prefix}${periodCode}.${menu.id}`;
  const pick = { value, count: picked.get(value) ?? 0 };
  return (
    <li class={kind} data-drink={isDrink(marks.name) ? '' : undefined}>
      <label class="pick">
        <PickBox {...pick} coins={marks.coins} nutrition={menu.nutrition} />
        <span class="quiet">{page.text.pick(namesOf(page, menu).primary)}</span>
      </label>
      <RowText page={page} menu={menu} marks={marks} />
      <PickCount page={page} {...pick} />
      {photo}
      <NutritionDisclosure page={page} restaurant={restaurant} date={date} menu={menu} />
    </li>
  );
};
