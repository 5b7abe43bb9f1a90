import { raw } from 'hono/html';
import type { FC } from 'hono/jsx';
import { isDrink } from '../../domain/takeout/is-drink.ts';
import type { Picks } from '../../domain/takeout/picks.ts';
import { spanText, type TakeoutMarks, takeoutMarks } from '../../domain/takeout/takeout-marks.ts';
import { nameHtml, namesOf, type PageContext } from '../page-context.ts';
import { escapeHtml } from '../plain-text.ts';
import { bundleNoteHtml, itemChoices, itemName, pickValue } from './bundle.tsx';
import { dishHeading } from './dish-name.ts';
import type { MenuItemProps } from './menu-card.tsx';
import { menuPhoto } from './menu-photo.tsx';
import { namedMenu } from './named-menu.ts';
import { factsDisclosure, nutritionDisclosure } from './nutrition.tsx';

export interface TakeoutRowProps extends MenuItemProps {
  readonly picked: Picks;
  /** What comes before each pick, on a page of several restaurants. @default '' */
  readonly prefix?: string;
}

/** A checkbox with all that the script adds up; what is taken more than once is named as often, for the form without it. */
function pickBox({ picked }: TakeoutRowProps, value: string, marks: TakeoutMarks, nutrition: object): string {
  const count = picked.get(value) ?? 0;
  const escaped = escapeHtml(value);
  const coins = marks.coins === undefined ? '' : ` data-coins="${spanText(marks.coins)}"`;
  const more = `<input type="hidden" name="pick" value="${escaped}"/>`.repeat(Math.max(0, count - 1));
  return `<input type="checkbox" name="pick" value="${escaped}" data-nutrition="${escapeHtml(JSON.stringify(nutrition))}"${coins}${count > 0 ? ` checked data-count="${count}"` : ''}/>${more}`;
}

/** How many are taken, with a button for one more; empty when none is. */
function pickCount({ page, picked }: TakeoutRowProps, value: string): string {
  const count = picked.get(value) ?? 0;
  return count === 0
    ? ''
    : `<span class="count"><b>${count}</b><button name="pick" value="${escapeHtml(value)}" aria-label="${page.text.oneMore}">+</button></span>`;
}

/** Coins, choices and pieces as tags. */
function markTags(page: PageContext, { coins, picks, pieces }: TakeoutMarks): string {
  const { text } = page;
  const tags = [
    ...(coins === undefined ? [] : [text.coins(spanText(coins))]),
    ...(picks === undefined ? [] : [text.picks(spanText(picks))]),
    ...(pieces === undefined ? [] : [text.pieces(pieces)]),
  ];
  return tags.map((tag) => `<span class="tag out">${tag}</span>`).join('');
}

/** The head of a row: corner, marks, the name without them. */
function rowText({ page, menu }: TakeoutRowProps, marks: TakeoutMarks): string {
  const corner = menu.corner === undefined ? '' : `<span class="corner">${escapeHtml(menu.corner)}</span>`;
  const soldOut = menu.soldOut ? `<span class="tag sold">${page.text.soldOut}</span>` : '';
  const heading = dishHeading(page, 'h3', { ...menu, name: marks.name });
  const sides = menu.bundle === undefined ? menu.components.filter((side) => side.name !== menu.name) : [];
  const sideNames = sides.map((side) => nameHtml(page, side)).join(', ');
  return `<div class="text"><p class="labels">${corner}${markTags(page, marks)}${soldOut}</p>${heading}${sideNames === '' ? '' : `<p class="sides">${sideNames}</p>`}</div>`;
}

/** The items of a bundle as a list, each with a checkbox. */
function pickableItems(props: TakeoutRowProps, marks: TakeoutMarks): string {
  const { page, menu, periodCode, prefix = '' } = props;
  let lines = '';
  for (const choice of itemChoices(menu)) {
    const own = takeoutMarks(choice.name);
    const priced =
      own.coins === undefined && marks.coins !== undefined ? { ...own, coins: marks.coins } : own;
    const value = prefix + pickValue(periodCode, choice);
    const box = pickBox(props, value, priced, choice.nutrition ?? {});
    const drink = isDrink(own.name) ? ' data-drink' : '';
    lines += `<li${drink}><label>${box} ${itemName(page, choice)}</label>${pickCount(props, value)}${factsDisclosure(page, escapeHtml(choice.name), choice.nutrition)}</li>`;
  }
  return lines === '' ? '' : `<ul class="items">${lines}</ul>`;
}

/** A row with a checkbox, or with one per item of a bundle. The script adds up; without it, the form does. */
export const TakeoutRow: FC<TakeoutRowProps> = (props) => {
  const { page, restaurant, date, menu, periodCode, eager = false, prefix = '' } = props;
  const marks = takeoutMarks(menu.name);
  const named = namedMenu(page, menu);
  const photo = menuPhoto({ page, vendor: restaurant.vendor, menu, eager }, named.name);
  const kind = menu.soldOut ? 'row sold-out' : 'row';
  if (menu.bundle !== undefined)
    return (
      <li class={`${kind} bundle`}>
        {raw(rowText(props, marks) + photo + bundleNoteHtml(page, menu.bundle) + pickableItems(props, marks))}
      </li>
    );
  const value = `${prefix}${periodCode}.${menu.id}`;
  return (
    <li class={kind} {...(isDrink(marks.name) ? { 'data-drink': '' } : {})}>
      <label class="pick">
        {raw(pickBox(props, value, marks, menu.nutrition ?? {}))}
        <span class="quiet">{page.text.pick(namesOf(page, menu).primary)}</span>
      </label>
      {raw(
        rowText(props, marks) +
          pickCount(props, value) +
          photo +
          nutritionDisclosure(page, restaurant, date, named),
      )}
    </li>
  );
};
