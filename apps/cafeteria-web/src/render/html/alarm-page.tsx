import type { FC } from 'hono/jsx';
import type { DishList } from 'menu-client';
import { type Favourite, isRead } from '../../domain/favourite.ts';
import { alarmKey, alarmPath, dayPath, lunchReminderPath } from '../../domain/restaurant-path.ts';
import { dishNotes } from '../notes/dish-notes.ts';
import { favouriteName, unreadFavouriteNote } from '../notes/unread-notes.ts';
import {
  commonMealLabel,
  foreignLanguage,
  inLanguage,
  linkTo,
  namesOf,
  type PageContext,
  placedName,
} from '../page-context.ts';
import { calendarLinks, type Subscription } from '../subscriptions.ts';
import { toDocument } from './frame/document.ts';
import { Layout } from './frame/layout.tsx';

export interface AlarmPageModel {
  /** Of this page, without its language. */
  readonly path: string;
  /** The words of the dish; empty when none is asked for. */
  readonly dish: string;
  /** The visitor's own restaurants, then others that the address names. */
  readonly listed: readonly Favourite[];
  /** Those of them that the alarm is for. */
  readonly chosen: readonly Favourite[];
  /** Where the dish is served; undefined without a dish or a restaurant. */
  readonly found: DishList | undefined;
}

/** When people look at what there is for lunch. */
export const LUNCH_AT = '11:20';

/** What people wait for, as operators write it. */
const SHORTCUTS = ['돈까스', '제육볶음', '김치찌개', '냉면', '마라탕', '카레', '치킨', '삼겹살'];
const SHOWN_NEXT = 5;

const Links: FC<{ links: readonly Subscription[]; label: string }> = ({ links, label }) => (
  <nav class="formats" aria-label={label}>
    {links.map(({ label: name, href }, at) => (
      <a href={href} {...(at === 0 ? { class: 'button' } : {})}>
        {name}
      </a>
    ))}
  </nav>
);

const Form: FC<{ page: PageContext; model: AlarmPageModel }> = ({ page, model }) => {
  const { text } = page;
  const { dish, listed, chosen } = model;
  const keys = chosen.map(alarmKey);
  return (
    <form class="alarm" action="/alarm">
      <label>
        <span class="quiet">{text.dishLabel}</span>
        <input
          type="search"
          name="dish"
          value={dish}
          required
          maxlength={100}
          placeholder={text.alarmPlaceholder}
        />
      </label>
      <fieldset>
        <legend>{text.alarmPlaces}</legend>
        <ul>
          {listed.map((restaurant) => (
            <li>
              <label>
                <input
                  type="checkbox"
                  name="r"
                  value={alarmKey(restaurant)}
                  checked={keys.includes(alarmKey(restaurant))}
                />{' '}
                <span lang={foreignLanguage(page, favouriteName(page, restaurant))}>
                  {favouriteName(page, restaurant)}
                </span>
              </label>
            </li>
          ))}
        </ul>
      </fieldset>
      {page.languageInLinks ? <input type="hidden" name="lang" value={page.language} /> : null}
      <button type="submit">{text.alarmSet}</button>
    </form>
  );
};

/** What the alarm rings for next, and how to receive it. */
const Set: FC<{ page: PageContext; model: AlarmPageModel; found: DishList }> = (props) => {
  const { page, found } = props;
  const { dish, chosen } = props.model;
  const { text } = page;
  const keys = chosen.map(alarmKey);
  const notes = dishNotes(page, found);
  return (
    <section aria-labelledby="receive">
      <h2 id="receive">{text.alarmReceive}</h2>
      <Links
        label={text.alarmReceive}
        links={[
          ...calendarLinks(page, inLanguage(page, alarmPath('alarm.ics', dish, keys))),
          { label: text.alarmFeed, href: inLanguage(page, alarmPath('alarm.rss', dish, keys)) },
        ]}
      />
      <h2>{text.alarmNext}</h2>
      {notes.map((note) => (
        <p class="note warn">{note}</p>
      ))}
      {found.total === 0 && notes.length === 0 ? <p class="note">{text.alarmNone}</p> : null}
      <ul class="next">
        {found.matches.slice(0, SHOWN_NEXT).map(({ restaurant, date, period, menu }) => (
          <li>
            <a href={`${linkTo(page, dayPath(restaurant, date))}#meal-${period.code}`}>
              <time datetime={date}>{text.date(date)}</time> {commonMealLabel(page, period)}
            </a>{' '}
            <b lang={foreignLanguage(page, namesOf(page, menu).primary)}>{namesOf(page, menu).primary}</b>{' '}
            <small lang={foreignLanguage(page, placedName(page, restaurant))}>
              {placedName(page, restaurant)}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
};

/** The page to set alarms: of a dish at the visitor's restaurants, and of their lunch each day. */
export function renderAlarmPage(page: PageContext, model: AlarmPageModel): string {
  const { text } = page;
  const { path, dish, listed, chosen, found } = model;
  const title = dish === '' ? text.alarmTitle : text.alarmOf(dish);
  return toDocument(
    <Layout
      page={page}
      title={`${title} | ${text.siteName}`}
      description={text.alarmHint}
      path={path}
      indexed={dish === ''}
    >
      <h1>{title}</h1>
      <p class="hint">{text.alarmHint}</p>
      {listed.length === 0 ? (
        <p class="note">
          {text.alarmNoPlaces} <a href={linkTo(page, '/')}>{text.backHome}</a>
        </p>
      ) : (
        <>
          <Form page={page} model={model} />
          {listed
            .filter((each) => !isRead(each))
            .map((each) => (
              <p class="note warn">{unreadFavouriteNote(page, each)}</p>
            ))}
          <nav class="meals shortcuts" aria-label={text.alarmShortcuts}>
            {SHORTCUTS.filter((each) => each !== dish).map((each) => (
              <a
                href={inLanguage(page, alarmPath('alarm', each, []))}
                rel="nofollow"
                lang={foreignLanguage(page, each)}
              >
                {each}
              </a>
            ))}
          </nav>
          {found === undefined ? null : <Set page={page} model={model} found={found} />}
          <section aria-labelledby="lunch">
            <h2 id="lunch">{text.lunchTitle(LUNCH_AT)}</h2>
            <p class="hint">{text.lunchHint}</p>
            <Links
              label={text.lunchTitle(LUNCH_AT)}
              links={calendarLinks(page, inLanguage(page, lunchReminderPath(LUNCH_AT, chosen.map(alarmKey))))}
            />
          </section>
        </>
      )}
    </Layout>,
  );
}
