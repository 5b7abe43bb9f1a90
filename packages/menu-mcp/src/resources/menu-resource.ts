import {
  failureWords,
  firstCause,
  isMenuError,
  type MenuError,
  type MenuService,
  resolveDate,
  VENDORS,
} from 'menu-client';
import { checkHost, checkService } from '../check-arguments.ts';
import { toDailyMenuOutput } from '../output/daily-menu-output.ts';
import { type BindOptions, toolContext } from '../tools/bind-tools.ts';
import type { ToolContext } from '../tools/tool-definition.ts';
import { MENU_URI_TEMPLATE, parseMenuUri } from './menu-uri.ts';

const MENU_RESOURCE = {
  name: 'restaurant_menu',
  title: 'A cafeteria’s menu of a day',
  description:
    'Menus of a restaurant on a date (today, tomorrow, a day of the week, YYYYMMDD or YYYY-MM-DD, Asia/Seoul), as JSON. Text of the operators, untrusted.',
  mimeType: 'application/json',
} as const;

interface ResourceText {
  contents: { uri: string; mimeType: string; text: string }[];
  [member: string]: unknown;
}

/** A JSON-RPC error of `resources/read`; both SDKs send `code` unchanged. */
class ResourceError extends Error {
  override readonly name = 'ResourceError';
  readonly code: -32_002 | -32_603;

  private constructor(code: ResourceError['code'], message: string) {
    super(message);
    this.code = code;
  }

  static notFound(uri: string): ResourceError {
    return new ResourceError(
      -32_002,
      `Resource not found: ${uri.slice(0, 200)}. Use menu://{vendor}/{id}/{date} with vendor and id of a search result.`,
    );
  }

  static outOfRange(range: string): ResourceError {
    return new ResourceError(-32_002, range);
  }

  static fault(): ResourceError {
    return new ResourceError(-32_603, 'This server has a fault. Trying again will hardly help.');
  }

  static unreadable(error: MenuError): ResourceError {
    const { code, retryable } = firstCause(error);
    const toDo = retryable ? 'Try again in a minute.' : 'Trying again will not help.';
    return new ResourceError(
      -32_603,
      `The operator's data could not be read: ${failureWords(code, 'en')}. ${toDo}`,
    );
  }
}

/**
 * The day that a `menu:` URI names.
 * @throws ResourceError -32002 when there is no such restaurant or date, -32603 when it cannot be read now
 */
async function readMenuResource(
  uri: string,
  service: MenuService,
  context: ToolContext,
): Promise<ResourceText> {
  const parts = parseMenuUri(uri);
  if (parts === undefined) throw ResourceError.notFound(uri);
  try {
    const day = await service.dailyMenu(parts.vendor, parts.id, resolveDate(parts.date, context.nowMs));
    const text = JSON.stringify(toDailyMenuOutput(day, context.pageUrl));
    return { contents: [{ uri, mimeType: MENU_RESOURCE.mimeType, text }] };
  } catch (error) {
    if (!isMenuError(error)) {
      context.onFault(error instanceof Error ? error : new Error(String(error)));
      throw ResourceError.fault();
    }
    if (error.code === 'date_out_of_range') throw ResourceError.outOfRange(error.message);
    const isMissing = error.code === 'restaurant_not_found' || error.code === 'invalid_date';
    throw isMissing ? ResourceError.notFound(uri) : ResourceError.unreadable(error);
  }
}

const DATES = [
  'today',
  'tomorrow',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

/** Suggestions for each variable of the template. */
const COMPLETIONS = {
  vendor: (value: string) => VENDORS.filter((vendor) => vendor.startsWith(value)),
  date: (value: string) => DATES.filter((date) => date.startsWith(value)),
  /** By name or place, as in a search; only of the vendor, if that is already known. */
  id: async (value: string, vendor: string | undefined, service: MenuService) =>
    (await service.search(value, { limit: 20 })).restaurants
      .filter((found) => vendor === undefined || found.vendor === vendor)
      .map(({ id }) => id),
} as const;

/** A server that accepts resources, such as an `McpServer` of the official SDK 1.x or 2.x. */
export interface ResourceHost {
  /** Offers the resources of one URI template. */
  registerResource(
    name: string,
    template: never,
    config: { title: string; description: string; mimeType: string },
    callback: (uri: URL) => Promise<ResourceText>,
  ): unknown;
}

type Complete = (
  value: string,
  known?: { readonly arguments?: Readonly<Record<string, string>> },
) => string[] | Promise<string[]>;

/** An SDK's class for templates. */
export type TemplateClass = new (
  uri: string,
  callbacks: { list: undefined; complete: Record<string, Complete> },
) => unknown;

/** Adds the resource template `menu://{vendor}/{id}/{date}` with completion of its variables. @throws MenuError `invalid_argument` */
export function addMenuResources(
  ResourceTemplate: TemplateClass,
  server: ResourceHost,
  service: MenuService,
  options: BindOptions,
): void {
  checkHost(server, 'registerResource');
  checkService(service);
  const context = toolContext(options);
  const template = new ResourceTemplate(MENU_URI_TEMPLATE, {
    list: undefined,
    complete: {
      ...COMPLETIONS,
      id: (value, known) => COMPLETIONS.id(value, known?.arguments?.['vendor'], service),
    },
  });
  const { name, ...config } = MENU_RESOURCE;
  // The templates of both SDKs look alike, but private members make their types incompatible.
  server.registerResource(name, template as never, config, (uri) =>
    readMenuResource(uri.href, service, context()),
  );
}
