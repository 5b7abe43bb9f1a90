import { raw } from 'hono/html';
import type { FC } from 'hono/jsx';
import type { DailyMenu, MealCode } from 'menu-client';
import { formatAmount, NUTRIENTS, sumNutrition } from '../../domain/nutrients.ts';
import { linkTo, namesOf, type PageContext } from '../page-context.ts';
import { type MenuItemProps, menuRowParts } from './menu-card.tsx';

/** A row with a box to tick; the script adds up from the data attribute, the form without it. */
export const TakeoutRow: FC<MenuItemProps & { periodCode: MealCode; picked: boolean }> = (props) => {
  const { page, menu, periodCode, picked } = props;
  return (
    <li class={menu.soldOut ? 'row sold-out' : 'row'}>
      <label class="pick">
        <input
          type="checkbox"
          name="pick"
          value={`${periodCode}.${menu.id}`}
          checked={picked}
          data-nutrition={JSON.stringify(menu.nutrition ?? {})}
        />
        <span class="quiet">{page.text.pick(namesOf(page, menu).primary)}</span>
      </label>
      {raw(menuRowParts(props))}
    </li>
  );
};

/** The sums of what is picked, at the foot of the screen. */
export const PickBar: FC<{
  page: PageContext;
  day: DailyMenu;
  path: string;
  picked: ReadonlySet<string>;
}> = ({ page, day, path, picked }) => {
  const { text } = page;
  const parts = day.periods.flatMap((period) =>
    period.menus.filter((menu) => picked.has(`${period.code}.${menu.id}`)).map((menu) => menu.nutrition),
  );
  const { total, missing } = sumNutrition(parts);
  return (
    <div class="pick-bar">
      <output data-one={text.pickSum(1)} data-many={text.pickSum(2)} data-none={text.pickNone}>
        <strong>{parts.length === 0 ? text.pickNone : text.pickSum(parts.length)}</strong>
        <span class="sums">
          {NUTRIENTS.map(({ key, unit }) => {
            const amount = total[key];
            const unknown = missing[key];
            return (
              <span
                data-sum={key}
                data-unit={unit}
                data-missing={text.pickMissing(0)}
                hidden={amount === undefined}
              >
                {text.nutrients[key]}{' '}
                <b>
                  {amount === undefined ? '' : `${formatAmount(amount)} ${unit}`}
                  {unknown === undefined ? '' : ` ${text.pickMissing(unknown)}`}
                </b>
              </span>
            );
          })}
        </span>
      </output>
      <span class="buttons">
        <button type="submit">{text.pickShow}</button>
        <a href={linkTo(page, path, { view: 'takeout' })} hidden={parts.length === 0}>
          {text.pickClear}
        </a>
      </span>
    </div>
  );
};
