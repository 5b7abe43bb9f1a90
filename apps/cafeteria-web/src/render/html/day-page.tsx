import type { Child, FC } from 'hono/jsx';
import type { DailyMenu, MealPeriod } from 'menu-client';
import { daysBetween, mealsFromNow, presentMeal } from 'menu-client';
import {
  type DayView,
  hasUnread,
  isLoading,
  isUnread,
  nothingRead,
  nothingServed,
  periodsInOrder,
} from '../../domain/day/day-view.ts';
import { mondayOf } from '../../domain/day/monday-of.ts';
import type { OtherDay } from '../../domain/day/other-day.ts';
import { seoulClock } from '../../domain/day/seoul-time.ts';
import { dayPath, feedPath, weekPath } from '../../domain/restaurant-path.ts';
import { NO_PICKS } from '../../domain/takeout/picks.ts';
import { nothingServedNote } from '../notes/nothing-served-note.ts';
import { periodNote } from '../notes/period-note.ts';
import { linkTo, namesOf, type PageContext, placedName } from '../page-context.ts';
import { menuPhotoUrl } from '../photo-path.ts';
import { toDocument } from './frame/document.ts';
import { Layout } from './frame/layout.tsx';
import { DayNavigation, MealChips, ViewTabs, viewQuery } from './parts/day-navigation.tsx';
import { LoadingNote } from './parts/loading-note.tsx';
import { PeriodSection } from './parts/period-section.tsx';
import { RestaurantHeading } from './parts/restaurant-heading.tsx';
import { Subscriptions } from './parts/subscriptions.tsx';
import { type TakeoutAsked, TakeoutForm } from './takeout/takeout-form.tsx';

export interface DayPageModel {
  readonly day: DailyMenu;
  /** What to show when the day has nothing. */
  readonly other?: OtherDay | undefined;
  readonly view: DayView;
  /** Now, in ms since the epoch: today, meals that are over come last. */
  readonly nowMs: number;
  /** In the takeout view. */
  readonly takeout: TakeoutAsked;
  readonly jsonLd: unknown;
}

/** The meal of the moment, when the day is today. */
function presentOf(page: PageContext, { day, nowMs }: DayPageModel): MealPeriod | undefined {
  return day.date === page.today ? presentMeal(day, nowMs) : undefined;
}

/** If all meals shown come from earlier readings, the one read longest ago: one sentence then covers them all. */
function allStale(day: DailyMenu): MealPeriod | undefined {
  const shown = day.periods.filter(({ status }) => status !== 'empty');
  const [first] = shown.toSorted((a, b) => ((a.fetchedAt ?? '') < (b.fetchedAt ?? '') ? -1 : 1));
  return shown.every(({ status }) => status === 'stale') ? first : undefined;
}

/** One warning for the whole day, with a link to try again. */
const Warning: FC<{ page: PageContext; model: DayPageModel; children?: Child }> = (props) => {
  const { page, model, children } = props;
  const { day, view } = model;
  return (
    <div class="note warn retry">
      {children}
      <a
        class="button"
        rel="nofollow"
        href={linkTo(page, dayPath(day.restaurant, day.date), viewQuery(view))}
      >
        {page.text.retry}
      </a>
    </div>
  );
};

/** Another day in place of one that has nothing, marked as such. */
const Other: FC<{ page: PageContext; model: DayPageModel }> = ({ page, model }) => {
  const { other, view } = model;
  if (other === undefined) return null;
  const { restaurant, date } = other.day;
  if (other.kind === 'loading') return <LoadingNote page={page}>{page.text.nextLoading}</LoadingNote>;
  const [before = '', after = ''] = (
    other.kind === 'next' ? page.text.nextOpenDay('\n') : page.text.lastKnownDay('\n')
  ).split('\n');
  return (
    <div class={other.kind === 'last' ? 'other-day old' : 'other-day'}>
      <p class={other.kind === 'last' ? 'note warn' : 'note'}>
        {before}
        <a href={linkTo(page, dayPath(restaurant, date))}>
          <time datetime={date}>{page.text.date(date)}</time>
        </a>
        {after}
      </p>
      {periodsInOrder(other.day).map((period, index) => (
        <PeriodSection
          page={page}
          restaurant={restaurant}
          date={date}
          period={period}
          view={view === 'takeout' ? 'gallery' : view}
          current={false}
          picked={NO_PICKS}
          noted={other.kind === 'last'}
          dated
          eagerPhotos={index === 0 ? 2 : 0}
        />
      ))}
    </div>
  );
};

const Periods: FC<{ page: PageContext; model: DayPageModel }> = ({ page, model }) => {
  if (nothingServed(model.day)) {
    const readAt = model.day.periods.map(({ fetchedAt }) => fetchedAt ?? '').sort()[0] ?? '';
    return (
      <p class="note">
        {nothingServedNote(page, model.day)}{' '}
        {readAt === '' ? null : <time datetime={readAt}>({page.text.asOf(seoulClock(readAt))})</time>}
      </p>
    );
  }
  if (nothingRead(model.day) && model.day.periods.every(({ status }) => status === 'loading'))
    return <LoadingNote page={page}>{page.text.dayLoading}</LoadingNote>;
  if (nothingRead(model.day)) {
    const [unread] = model.day.periods;
    return (
      <Warning page={page} model={model}>
        <p>
          {page.text.failedPeriod} ({page.text.reason(unread?.error?.code ?? '')})
        </p>
      </Warning>
    );
  }
  const stale = allStale(model.day);
  const { coming, over } = mealsFromNow(model.day, model.nowMs);
  const present = presentOf(page, model);
  const section = (period: MealPeriod, index: number) => (
    <PeriodSection
      page={page}
      restaurant={model.day.restaurant}
      date={model.day.date}
      period={period}
      view={model.view}
      current={period.code === present?.code}
      picked={model.takeout.picked}
      noted={stale !== undefined}
      eagerPhotos={index === 0 ? 2 : 0}
    />
  );
  return (
    <>
      {stale?.fetchedAt === undefined ? null : (
        <Warning page={page} model={model}>
          <p>{periodNote(page, stale)}</p>
        </Warning>
      )}
      {coming.map(section)}
      {over.length === 0 ? null : <p class="over">{page.text.over}</p>}
      {over.map((period) => section(period, 1))}
    </>
  );
};

/** Names of the first menus, today those of the present meal, for descriptions and previews. */
function firstMenuNames(page: PageContext, { day, nowMs }: DayPageModel): string {
  const { coming, over } = mealsFromNow(day, nowMs);
  const [first] = coming.filter(({ status }) => status !== 'empty');
  const unread = first !== undefined && isUnread(first) ? periodNote(page, first) : undefined;
  if (unread !== undefined && !nothingRead(day)) return unread;
  const menus = [...coming, ...over].flatMap((period) => period.menus).slice(0, 5);
  if (menus.length === 0 && isLoading([day])) return page.text.dayLoading;
  if (menus.length === 0) return hasUnread([day]) ? page.text.failedPeriod : nothingServedNote(page, day);
  return menus.map((menu) => namesOf(page, menu).primary).join(', ');
}

export function renderDayPage(page: PageContext, model: DayPageModel): string {
  const { day, view, takeout, other, nowMs } = model;
  const { restaurant, date } = day;
  const { text } = page;
  const path = dayPath(restaurant, date);
  const name = placedName(page, restaurant);
  const title = text.dayTitle(name, text.date(date));
  const { coming, over } = mealsFromNow(day, nowMs);
  const [imageUrl] = [...coming, ...over]
    .flatMap((period) => period.menus)
    .flatMap((menu) => menuPhotoUrl(page, restaurant, date, menu, 1200) ?? []);
  const periods = <Periods page={page} model={model} />;
  return toDocument(
    <Layout
      page={page}
      title={`${title} | ${text.siteName}`}
      description={text.dayDescription(name, text.longDate(date), firstMenuNames(page, model))}
      path={linkTo({ ...page, languageInLinks: false }, path, viewQuery(view))}
      indexed={Math.abs(daysBetween(page.today, date)) <= 14}
      {...(imageUrl === undefined ? {} : { imageUrl })}
      feeds={[
        {
          title: text.feedOf(namesOf(page, restaurant).primary),
          type: 'application/rss+xml',
          path: feedPath(restaurant),
        },
      ]}
      scripts={[
        'favourites.js',
        'share.js',
        'photos.js',
        'dish.js',
        ...(view === 'takeout' ? ['takeout.js'] : []),
        'day.js',
      ]}
      jsonLd={model.jsonLd}
      loading={isLoading([day]) || other?.kind === 'loading'}
      current={date === page.today && view !== 'takeout'}
    >
      <RestaurantHeading page={page} restaurant={restaurant} share={title} />
      <DayNavigation page={page} restaurant={restaurant} date={date} view={view} />
      <div class="controls" data-live="controls">
        <ViewTabs page={page} day={day} view={view} />
        <div class="jumps">
          {nothingServed(day) || nothingRead(day) ? null : (
            <MealChips page={page} periods={periodsInOrder(day)} current={presentOf(page, model)?.code} />
          )}
          <a class="to-week" href={linkTo(page, weekPath(restaurant, mondayOf(date)))}>
            {text.weekPage}
          </a>
        </div>
      </div>
      {view === 'takeout' ? (
        <TakeoutForm
          page={page}
          path={path}
          query={viewQuery(view)}
          offered={day.periods.map((period) => ({ period }))}
          {...takeout}
        >
          <div data-live="menus">{periods}</div>
          <p class="all-takeout">
            <a href={linkTo(page, '/takeout')}>{text.takeoutOfMine}</a>
          </p>
        </TakeoutForm>
      ) : (
        <div data-live="menus">{periods}</div>
      )}
      <div data-live="other">
        <Other page={page} model={model} />
      </div>
      <Subscriptions page={page} restaurant={restaurant} />
    </Layout>,
  );
}
