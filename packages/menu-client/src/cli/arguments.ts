import { parseArgs } from 'node:util';
import { seoulToday } from '../domain/calendar-date.ts';
import type { KnownMealCode } from '../domain/daily-menu.ts';
import { MenuError } from '../domain/menu-error.ts';
import { parseVendor, VENDORS, type Vendor } from '../domain/restaurant.ts';
import { type AskedDay, parseAsked, resolveDay } from '../search/asked-text.ts';
import { POST_SERVICES, type PostService } from './post/post-services.ts';

export type CliCommand =
  | { readonly name: 'help' }
  | { readonly name: 'search'; readonly query: string; readonly limit: number; readonly json: boolean }
  | {
      readonly name: 'menu';
      readonly vendor: Vendor;
      readonly id: string;
      /** `YYYY-MM-DD`. */
      readonly date: string;
      /** Only this meal, if one is named. */
      readonly meal?: KnownMealCode;
      readonly json: boolean;
    }
  | {
      readonly name: 'today';
      /** What names the restaurant. */
      readonly words: string;
      /** `YYYY-MM-DD`. */
      readonly date: string;
      /** Only this meal, if one is named. */
      readonly meal?: KnownMealCode;
      readonly json: boolean;
      /** Where to post the menus instead of printing them. */
      readonly post?: { readonly service: PostService; readonly url: string | undefined };
    };

export const USAGE = `Usage:
  menu-client search <keyword...> [--limit 1..50] [--json]
  menu-client menu <${VENDORS.join('|')}> <restaurant id> [day and meal] [--json]
  menu-client today <name, place or id of a restaurant> [day and meal] [--json]
                    [--post ${POST_SERVICES.join('|')} [URL, or - to read it from standard input]]

A day: today, 내일, friday, next monday, 11/28, 11월 28일, YYYYMMDD. A meal: lunch, 점심. The default is all of today.

  menu-client today "R5 1식당 점심" --post slack       the URL is in POST_WEBHOOK_URL

식당 찾기: menu-client search 강남. 오늘 메뉴: menu-client today "R5 1식당". 슬랙에 올리기: 위처럼 --post slack.

Environment:
  POST_WEBHOOK_URL                      the webhook of --post: a secret, which arguments show to others on the machine
  WELSTORY_USERNAME, WELSTORY_PASSWORD  account; without it only shinsegae is asked
  WELSTORY_DEVICE_ID                    the device that it is used from (default: one made from the user name)
  OPERATOR_TIMEOUT_MS                   of one request (default: 10000)
  OPERATOR_MAX_ANSWER_BYTES             of one answer (default: 2097152)
  PLANEAT_MAX_TREE_BYTES                of the list of restaurants (default: 16777216)
  WELSTORY_BASE_URL, PLANEAT_BASE_URL   other base URLs, for instance of menu-sandbox
  STORE_URL                             memory: (default), sqlite:<file> or postgres://...
`;

/** @throws MenuError `invalid_argument`, `invalid_date` */
export function parseArguments(argv: readonly string[], nowMs: number): CliCommand {
  const { values, positionals } = parse(argv);
  const [name, ...rest] = positionals;
  if (values.help === true || name === undefined) return { name: 'help' };
  const json = values.json === true;
  if (name === 'search') return { name, query: keyword(rest), limit: parseLimit(values.limit), json };
  if (name === 'menu') return { name, ...parseMenu(rest, nowMs), json };
  if (name === 'today') return { name, ...parseToday(rest, values.post, nowMs), json };
  throw usageError(`There is no command ${JSON.stringify(name)}.`);
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        limit: { type: 'string' },
        post: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : 'The arguments cannot be read.');
  }
}

function keyword(words: readonly string[]): string {
  const query = words.join(' ').trim();
  if (query === '') throw usageError('Name a keyword to search for.');
  return query;
}

function parseLimit(limit: string | undefined): number {
  if (limit === undefined) return 20;
  if (!/^\d{1,2}$/.test(limit)) throw usageError('--limit is a number from 1 to 50.');
  return Number(limit);
}

function parseMenu(words: readonly string[], nowMs: number) {
  const [vendorName, id, ...day] = words;
  const vendor = parseVendor(vendorName);
  if (vendor === undefined) throw usageError(`The operator is one of ${VENDORS.join(', ')}.`);
  if (id === undefined || id === '') throw usageError('Name a restaurant by its id: search shows it.');
  return { vendor, id, ...dayOf(day.length === 0 ? 'today' : day.join(' '), nowMs) };
}

const URL_WORD = /^(?:https?:\/\/|-$)/;

function parseToday(words: readonly string[], service: string | undefined, nowMs: number) {
  const url = words.find((word) => URL_WORD.test(word));
  const text = words.filter((word) => word !== url).join(' ');
  const asked = parseAsked(text, seoulToday(nowMs));
  if (asked.words.length === 0) throw usageError('Name a restaurant: "R5 1식당".');
  const known = POST_SERVICES.find((each) => each === service);
  if (service !== undefined && known === undefined)
    throw usageError(`--post is one of ${POST_SERVICES.join(', ')}.`);
  if (known === undefined && url !== undefined) throw usageError('A URL goes with --post.');
  return {
    words: asked.words.join(' '),
    date: asked.date ?? seoulToday(nowMs),
    ...(asked.meal === undefined ? {} : { meal: asked.meal }),
    ...(known === undefined ? {} : { post: { service: known, url } }),
  };
}

function dayOf(text: string, nowMs: number): AskedDay {
  try {
    return resolveDay(text, nowMs);
  } catch (error) {
    if (!(error instanceof MenuError)) throw error;
    throw new MenuError(error.code, `${error.message} Quote an id that contains spaces.`);
  }
}

function usageError(problem: string): MenuError {
  return new MenuError('invalid_argument', problem);
}
