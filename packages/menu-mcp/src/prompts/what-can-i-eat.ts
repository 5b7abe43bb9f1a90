import type { MenuService } from 'menu-client';
import { z } from 'zod';
import { checkHost, checkService } from '../check-arguments.ts';

const PLACE = 'Send place: 1 to 100 characters of a restaurant name or place, e.g. 강남.';

/** The prompt that asks for today's menus near a place, and says how to read them. */
export const whatCanIEat = {
  name: 'what_can_i_eat',
  title: 'What can I eat near … today?',
  description: 'Finds the staff cafeterias near a place and compares what they serve today.',
  argsShape: {
    place: z.string(PLACE).min(1, PLACE).max(100, PLACE).describe('Place or restaurant, e.g. 강남'),
  },
  /** The message that people would otherwise type themselves. */
  text(place: string): string {
    return [
      `What can I eat near ${JSON.stringify(place)} today?`,
      'Call search_restaurants with that place, then compare_menus with up to three of the results and the meal that comes next, lunch unless the time is known.',
      'Show the menus by restaurant: name, calories, and whether they are sold out. Call get_restaurant_menu for the dishes of one.',
      'Say of each day that failed, is loading or is stale that it could not be read just now; never call it empty.',
      'Allergens are unknown: say so if they matter, and never infer them.',
    ].join('\n');
  },
} as const;

/** A server that accepts prompts, such as an `McpServer` of the official SDK 1.x or 2.x. */
export interface PromptHost {
  /** Offers one prompt. */
  registerPrompt(
    name: string,
    config: { title: string; description: string; argsSchema: typeof whatCanIEat.argsShape },
    callback: (args: { place: string }) => {
      messages: { role: 'user'; content: { type: 'text'; text: string } }[];
      [member: string]: unknown;
    },
  ): unknown;
}

const MAX_PLACES = 10;

/** How an SDK marks an argument that it completes. */
export type MarkCompletable = (
  schema: typeof whatCanIEat.argsShape.place,
  suggest: (value: string) => Promise<string[]>,
) => typeof whatCanIEat.argsShape.place;

/** Adds the prompt `what_can_i_eat`. @param service completes the place with names of restaurants; without it there is no completion */
export function addMenuPrompts(
  completable: MarkCompletable,
  server: PromptHost,
  service: MenuService | undefined,
): void {
  checkHost(server, 'registerPrompt');
  if (service !== undefined) checkService(service);
  const { name, title, description, argsShape } = whatCanIEat;
  const suggest = async (value: string): Promise<string[]> => {
    const found = value === '' ? undefined : await service?.search(value, { limit: MAX_PLACES });
    return found?.restaurants.map((restaurant) => restaurant.name) ?? [];
  };
  const argsSchema =
    service === undefined ? argsShape : { place: completable(argsShape.place.clone(), suggest) };
  server.registerPrompt(name, { title, description, argsSchema }, ({ place }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: whatCanIEat.text(place) } }],
  }));
}
