import type { DailyMenu, MealPeriod } from '../../domain/daily-menu.ts';
import type { Menu } from '../../domain/menu.ts';
import { mealsFromNow } from '../../domain/present-meal.ts';
import type { PostMessage } from './post-services.ts';

/** One line without characters that change the text around it. */
const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ').trim();

const WEEKDAYS = ['일', '월', '화', '수', '목', '금', '토'];

function menuLine({ corner, name, nutrition, serving, soldOut }: Menu): string {
  const kcal = nutrition?.caloriesKcal;
  return [
    `• ${corner === undefined ? '' : `[${plain(corner)}] `}${plain(name)}`,
    ...(kcal === undefined ? [] : [`${Math.round(kcal)} kcal`]),
    ...(serving === 'take-out' ? ['포장'] : []),
    ...(soldOut ? ['품절'] : []),
  ].join(' · ');
}

function mealLines({ label, menus }: MealPeriod): readonly string[] {
  return menus.length === 0 ? [] : [`[${plain(label)}]`, ...menus.map(menuLine)];
}

/** The day's menus for a chat, in Korean; undefined when there are none to post. @param nowMs now, in ms since the epoch */
export function dayMessage(day: DailyMenu, nowMs: number): PostMessage | undefined {
  const { restaurant, date } = day;
  const { coming, over } = mealsFromNow(day, nowMs);
  const lines = [...coming, ...over].flatMap(mealLines);
  if (lines.length === 0) return undefined;
  const weekday = WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? '';
  const place = restaurant.location.at(0);
  const where = place === undefined ? '' : ` (${plain(place)})`;
  const title = `${plain(restaurant.name)}${where} ${Number(date.slice(5, 7))}월 ${Number(date.slice(8))}일 (${weekday}) 메뉴`;
  return { title, lines, data: day };
}
