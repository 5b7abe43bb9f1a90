import { raw } from 'hono/html';
import type { FC } from 'hono/jsx';
import { choicesOf, type DailyMenu } from 'menu-client';
import { formatAmount, NUTRIENTS, sumNutrition } from '../../domain/nutrients.ts';
import { linkTo, namesOf, type PageContext } from '../page-context.ts';
import { pickValue } from './bundle.tsx';
import { bundleRowParts, type MenuItemProps, takeoutRowParts } from './menu-card.tsx';

/**
 * A row with a checkbox, or with one per item of a bundle. The script adds up from the data attribute; without the
 * script, the form does.
 */
export const TakeoutRow: FC<MenuItemProps & { picked: ReadonlySet<string> }> = (props) => {
  const { page, menu, periodCode, picked } = props;
  const kind = menu.soldOut ? 'row sold-out' : 'row';
  if (menu.bundle !== undefined)
    return <li class={`${kind} bundle`}>{raw(bundleRowParts(props, menu.bundle, picked))}</li>;
  return (
    <li class={kind}>
      <label class="pick">
        <input
          type="checkbox"
          name="pick"
          value={`${periodCode}.${menu.id}`}
          checked={picked.has(`${periodCode}.${menu.id}`)}
          data-nutrition={JSON.stringify(menu.nutrition ?? {})}
        />
        <span class="quiet">{page.text.pick(namesOf(page, menu).primary)}</span>
      </label>
      {raw(takeoutRowParts(props))}
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
    choicesOf(period.menus)
      .filter((choice) => picked.has(pickValue(period.code, choice)))
      .map(({ nutrition }) => nutrition),
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
