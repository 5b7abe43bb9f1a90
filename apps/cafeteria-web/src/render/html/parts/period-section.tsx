import type { FC } from 'hono/jsx';
import type { MealPeriod, Menu, Restaurant } from 'menu-client';
import { type DayView, menusOf } from '../../../domain/day/day-view.ts';
import { seoulClock } from '../../../domain/day/seoul-time.ts';
import type { Picks } from '../../../domain/takeout/picks.ts';
import { shownChanges } from '../../notes/day-changes.ts';
import { periodNote } from '../../notes/period-note.ts';
import { mealLabel, type PageContext } from '../../page-context.ts';
import { dishListData, MenuItem } from '../menu/menu-card.tsx';
import { TakeoutRow } from '../takeout/takeout-row.tsx';
import { LoadingNote } from './loading-note.tsx';

/** Says honestly where a period's menus come from, or why there are none. */
export const PeriodNote: FC<{ page: PageContext; period: MealPeriod }> = ({ page, period }) => {
  const note = periodNote(page, period);
  if (note === undefined) return null;
  if (period.status === 'loading') return <LoadingNote page={page}>{note}</LoadingNote>;
  return <p class={period.status === 'empty' ? 'note' : 'note warn'}>{note}</p>;
};

/** What our readings saw change since the morning; folded, since the menus come below it. */
const Changes: FC<{ page: PageContext; period: MealPeriod }> = ({ page, period }) => {
  const changes = shownChanges(page, period);
  const [latest] = changes;
  return latest === undefined ? null : (
    <details class="changes">
      <summary>{page.text.changes(changes.length, latest.clock)}</summary>
      <ul>
        {changes.map(({ clock, kind, name }) => (
          <li>
            <time>{clock}</time> <b>{kind}</b> {name}
          </li>
        ))}
      </ul>
    </details>
  );
};

export interface PeriodSectionProps {
  readonly page: PageContext;
  readonly restaurant: Restaurant;
  readonly date: string;
  readonly period: MealPeriod;
  readonly view: DayView;
  readonly current: boolean;
  readonly picked: Picks;
  /** What comes before each pick, on a page of several restaurants. @default '' */
  readonly prefix?: string;
  /** True when a note above all meals says how old they are. @default false */
  readonly noted?: boolean;
  /** True for another day than the page's: its heading says which. @default false */
  readonly dated?: boolean;
  /** How many of the first photos load at once. */
  readonly eagerPhotos: number;
}

/** The view's menus, as items of its list. */
function menuItems(props: PeriodSectionProps, menus: readonly Menu[]) {
  const { page, restaurant, date, period, view, picked, prefix = '', eagerPhotos } = props;
  return menus.map((menu, index) => {
    const item = { page, restaurant, date, periodCode: period.code, menu, eager: index < eagerPhotos };
    return view === 'takeout' ? (
      <TakeoutRow {...item} picked={picked} prefix={prefix} />
    ) : (
      <MenuItem {...item} kind={view === 'gallery' ? 'card' : 'row'} />
    );
  });
}

export const PeriodSection: FC<PeriodSectionProps> = (props) => {
  const { page, date, period, view, current, dated = false } = props;
  const menus = menusOf(period, view);
  const id = `meal-${period.code}`;
  return (
    <section class="period" id={id} aria-labelledby={`${id}-name`}>
      <h2 id={`${id}-name`}>
        {dated ? `${page.text.date(date)} ` : ''}
        {mealLabel(page, period)}
        {current ? <span class="tag now">{page.text.now}</span> : null}
        {period.status === 'ok' && period.fetchedAt !== undefined ? (
          <small class="as-of">
            <time datetime={period.fetchedAt}>{page.text.asOf(seoulClock(period.fetchedAt))}</time>
          </small>
        ) : null}
      </h2>
      {props.noted === true && period.status === 'stale' ? null : <PeriodNote page={page} period={period} />}
      <Changes page={page} period={period} />
      {menus.length === 0 && period.menus.length > 0 ? <p class="note">{page.text.noneInView}</p> : null}
      {menus.length === 0 ? null : (
        <ul class={view === 'gallery' ? 'cards' : 'rows'} {...dishListData(page, props.restaurant)}>
          {menuItems(props, menus)}
        </ul>
      )}
    </section>
  );
};
