import { isRead } from '../../domain/favourite.ts';
import { alarmKey, alarmPath, dayPath, lunchReminderPath } from '../../domain/restaurant-path.ts';
import { type AlarmPageModel, LUNCH_AT } from '../html/alarm-page.tsx';
import { dishNotes } from '../notes/dish-notes.ts';
import { unreadFavouriteNote } from '../notes/unread-notes.ts';
import { commonMealLabel, inLanguage, linkTo, type PageContext, placedName } from '../page-context.ts';
import { escapeMarkdown } from '../plain-text.ts';
import { calendarLinks } from '../subscriptions.ts';
import { markdownName } from './day-markdown.ts';

/** The alarm, what it rings for next, and the addresses to subscribe to. */
export function renderAlarmMarkdown(page: PageContext, model: AlarmPageModel): string {
  const { text, origin } = page;
  const { dish, listed, chosen, found } = model;
  const keys = chosen.map(alarmKey);
  const links = (path: string): readonly string[] =>
    calendarLinks(page, inLanguage(page, path)).map(
      ({ label, href }) => `- [${label}](${new URL(href, origin).href})`,
    );
  const lines = [
    `# ${dish === '' ? text.alarmTitle : escapeMarkdown(text.alarmOf(dish))}`,
    '',
    text.alarmHint,
    '',
  ];
  if (page.sampleData) lines.push(`> ${text.sampleData}`, '');
  if (listed.length === 0) lines.push(text.alarmNoPlaces, '');
  for (const each of listed)
    if (!isRead(each)) lines.push(`> ${escapeMarkdown(unreadFavouriteNote(page, each))}`, '');
  if (found !== undefined) {
    const notes = dishNotes(page, found);
    lines.push(`## ${text.alarmReceive}`, '', ...links(alarmPath('alarm.ics', dish, keys)), '');
    lines.push(`## ${text.alarmNext}`, '', ...notes.map((note) => `> ${note}`));
    if (found.total === 0 && notes.length === 0) lines.push(text.alarmNone);
    for (const { restaurant, date, period, menu } of found.matches) {
      const day = `[${text.date(date)}](${origin}${linkTo(page, dayPath(restaurant, date))})`;
      const place = escapeMarkdown(placedName(page, restaurant));
      lines.push(
        `- ${day} ${escapeMarkdown(commonMealLabel(page, period))} ${markdownName(page, menu)}, ${place}`,
      );
    }
    lines.push('');
  }
  if (chosen.length > 0)
    lines.push(`## ${text.lunchTitle(LUNCH_AT)}`, '', ...links(lunchReminderPath(LUNCH_AT, keys)), '');
  return lines.join('\n');
}
