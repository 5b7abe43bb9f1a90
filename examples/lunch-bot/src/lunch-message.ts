import { type MenuService, seoulToday } from 'menu-client';

const LUNCH = '2';

/** Today's lunch of the first restaurant that the query finds, as lines of a chat message. */
export async function lunchMessage(service: MenuService, query: string, nowMs: number): Promise<string> {
  const { restaurants, incomplete } = await service.search(query, { limit: 1 });
  const [restaurant] = restaurants;
  if (restaurant === undefined) {
    const unread = incomplete.map(({ vendor }) => vendor).join(', ');
    return unread === '' ? `No restaurant matches ${query}.` : `${unread} could not be searched.`;
  }
  const date = seoulToday(nowMs);
  const day = await service.dailyMenu(restaurant.vendor, restaurant.id, date);
  const lunch = day.periods.find(({ code }) => code === LUNCH);
  const title = `${restaurant.name}, ${date}`;
  // Not being able to read the lunch does not mean that there is none.
  if (lunch?.status === 'failed') return `${title}\nThe lunch could not be read.`;
  if (lunch?.status === 'loading') return `${title}\nThe lunch is still being read: ask again in a moment.`;
  if (lunch === undefined || lunch.menus.length === 0) return `${title}\nNo lunch.`;
  const lines = lunch.menus.map(({ name, nutrition }) => {
    const kcal = nutrition?.caloriesKcal;
    return kcal === undefined ? `- ${name}` : `- ${name}, ${kcal} kcal`;
  });
  return [title, ...lines].join('\n');
}
