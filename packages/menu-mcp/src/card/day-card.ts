import { checkHost } from '../check-arguments.ts';
import { DAY_CARD_PAGE } from './day-card-page.ts';

/** Address of the card that shows a day in the chat. */
export const DAY_CARD_URI = 'ui://menu/day';

const MIME_TYPE = 'text/html;profile=mcp-app';

/** The extension that this server and hosts that can show the card both declare. @see MCP Apps (SEP-1865), revision 2026-01-26 */
export const UI_EXTENSION = { 'io.modelcontextprotocol/ui': { mimeTypes: [MIME_TYPE] } };

/** Goes into the description of a tool whose results the card shows. */
export const SHOWN_BY_CARD = { ui: { resourceUri: DAY_CARD_URI } } as const;

interface CardContents {
  contents: { uri: string; mimeType: string; text: string; _meta: { ui: object } }[];
  [member: string]: unknown;
}

/** A server that accepts resources, such as an `McpServer` of the official SDK 1.x or 2.x. */
export interface CardHost {
  /** Offers one resource; the card is one, at `DAY_CARD_URI`. */
  registerResource(
    name: string,
    uri: string,
    config: { title: string; description: string; mimeType: string; _meta: { ui: object } },
    callback: (uri: URL) => Promise<CardContents>,
  ): unknown;
}

/** What the card may load. */
export interface CardOptions {
  /** Origin of the photos in results, such as `https://menu.example.org`; without it the card shows none. */
  readonly photoOrigin?: () => string;
}

/**
 * Adds `ui://menu/day`: hosts that show MCP Apps show the results of `get_restaurant_menu` in it, others their text.
 * @throws MenuError `invalid_argument`
 */
export function registerMenuCard(server: CardHost, { photoOrigin }: CardOptions = {}): void {
  checkHost(server, 'registerResource');
  // Hosts read it from the list before they read the card. The origin may be known only when somebody asks.
  const ui = {
    get csp() {
      return { resourceDomains: photoOrigin === undefined ? [] : [photoOrigin()] };
    },
    prefersBorder: true,
  };
  const config = {
    title: 'A day at a cafeteria',
    description: 'Shows the result of get_restaurant_menu with photos.',
    mimeType: MIME_TYPE,
    _meta: { ui },
  };
  server.registerResource('menu_day', DAY_CARD_URI, config, async () => ({
    contents: [
      {
        uri: DAY_CARD_URI,
        mimeType: MIME_TYPE,
        text: DAY_CARD_PAGE,
        _meta: { ui: { ...ui } },
      },
    ],
  }));
}
