import type { FC } from 'hono/jsx';
import { addDays, type DishMatch } from 'menu-client';
import { dishWords } from '../../../domain/dish/dish-words.ts';
import { alarmPath, foundPath } from '../../../domain/restaurant-path.ts';
import { inLanguage, type PageContext } from '../../page-context.ts';
import { relativeDay } from '../parts/day-navigation.tsx';
import { DishRow } from './dish-row.tsx';
import type { FoundModel } from './found-model.ts';

type Props = { readonly page: PageContext; readonly model: FoundModel };

const DAYS = 7;

interface ChipProps extends Props {
  readonly label: string;
  readonly filter: { readonly date?: string | undefined; readonly place?: string | undefined };
  readonly isShown: boolean;
}

const Chip: FC<ChipProps> = ({ page, model, label, filter, isShown }) => {
  const { date, place } = filter;
  const path = foundPath(model.query, {
    ...(date === undefined ? {} : { date }),
    ...(place === undefined ? {} : { place }),
  });
  return (
    <a href={inLanguage(page, path)} rel="nofollow" {...(isShown ? { 'aria-current': 'true' as const } : {})}>
      {label}
    </a>
  );
};

/** Where the dish is served, with how many menus have it. */
const Places: FC<Props> = (props) => {
  const { page, model } = props;
  const { places, place, all } = model;
  const { date } = all;
  return places.length < 2 && place === undefined ? null : (
    <nav class="meals" aria-label={page.text.placesLabel}>
      <Chip {...props} label={page.text.everywhere} filter={{ date }} isShown={place === undefined} />
      {places.map((each) => (
        <Chip
          {...props}
          label={`${each.place} ${each.count}`}
          filter={{ date, place: each.place }}
          isShown={each.place === place}
        />
      ))}
    </nav>
  );
};

/** The seven days. */
const Days: FC<Props> = (props) => {
  const { page, model } = props;
  const { place, all } = model;
  return (
    <nav class="meals" aria-label={page.text.dishDays}>
      <Chip {...props} label={page.text.dishAllDays} filter={{ place }} isShown={all.date === undefined} />
      {Array.from({ length: DAYS }, (_, day) => addDays(page.today, day)).map((date) => (
        <Chip
          {...props}
          label={relativeDay(page, date) ?? page.text.date(date)}
          filter={{ date, place }}
          isShown={date === all.date}
        />
      ))}
    </nav>
  );
};

const Rows: FC<{ page: PageContext; matches: readonly DishMatch[]; query: string }> = (props) => (
  <ul class="rows">
    {props.matches.map((match) => (
      <DishRow page={props.page} match={match} query={props.query} />
    ))}
  </ul>
);

/** Where and when a dish is served: at the visitor's own restaurants, then elsewhere by place. */
export const FoundDishes: FC<Props> = (props) => {
  const { page, model } = props;
  const { text } = page;
  const { query, own, others, all, isWhole, place } = model;
  if (all.total === 0 && place === undefined && all.date === undefined) return null;
  const dish = dishWords(query);
  const isWhollyRead = all.unreadDays === 0 && all.incomplete.length === 0;
  return (
    <section class="found" aria-labelledby="dishes">
      <h2 id="dishes" class="quiet">
        {text.dishTitle(query)}
      </h2>
      {all.unreadDays === 0 ? null : <p class="note warn">{text.dishUnread(all.unreadDays)}</p>}
      {own.length === 0 ? null : (
        <>
          <h3 class="whose">{text.atMine(own.length)}</h3>
          <Rows page={page} matches={own} query={query} />
          <h3 class="whose">{text.elsewhere}</h3>
        </>
      )}
      <Places {...props} />
      <Days {...props} />
      {all.total === 0 ? <p class="note">{isWhollyRead ? text.dishNone : text.dishNoneYet}</p> : null}
      {isWhole ? null : (
        <p class="hint">{place === undefined ? text.choosePlace : text.dishMany(others.length, all.total)}</p>
      )}
      <Rows page={page} matches={others} query={query} />
      {dish === '' ? null : (
        <p>
          <a href={inLanguage(page, alarmPath('alarm', dish, []))} rel="nofollow">
            {text.alarmOf(dish)}
          </a>
        </p>
      )}
    </section>
  );
};
