import { type Handler, Hono } from 'hono';
import { basePath } from 'hono/route';
import { aString, checkOptions, expecting, optional, optionsOf } from 'rostack-core';
import {
  describeImplementation,
  type ExplorerSubject,
  type ImplementationDescription,
} from './description/describe-implementation.ts';
import { askedOrigins } from './description/origins.ts';
import { loadExplorerAssets } from './explorer-assets.ts';
import { renderClosedPage, renderExplorerPage } from './page/explorer-page.tsx';
import { type RelayedAccess, toExplorerData } from './page/to-explorer-data.ts';
import { StaticAnswer } from './static-answer.ts';

const ASSETS_FOLDER = 'explorer-assets/';

/** What the explorer shows, and where it is served. */
export interface ExplorerOptions {
  /** What `defineImplementation` of rostack-core returns, as far as it is shown. */
  readonly implementation: ExplorerSubject;
  /**
   * Path at which browsers see the page, if a proxy changes paths on the way, such as `/weather/`.
   * @default the page names its files relative to its own address
   */
  readonly publicPath?: string;
}

const explorerOptions = optionsOf<ExplorerOptions>({
  implementation: expecting(
    'what defineImplementation of rostack-core returns: discovery and a Map of schemas',
    (value) => {
      const { discovery, schemas } = Object(value) as Partial<ExplorerSubject>;
      return Array.isArray(discovery?.resources) && schemas instanceof Map;
    },
  ),
  publicPath: optional(aString),
});

/**
 * The explorer as an app to be mounted at its own path or at `/`; requests that it does not answer go on to the surrounding app.
 * If discovery is not public, the page shows nothing of its contents.
 * @throws OptionsError `invalid_options`; Error when the package was not built
 */
export function createExplorer(options: ExplorerOptions): Hono {
  checkOptions(explorerOptions, options, 'The explorer cannot be made');
  const { discovery } = options.implementation;
  const sources = ["'self'", ...askedOrigins(discovery), discovery.endpoints.websocket];
  return createExplorerApp(options, undefined, sources, discovery.authentication.discovery_public ?? true);
}

/** The explorer of an implementation on another server, all of which is shown. */
export function createForeignExplorer(implementation: ExplorerSubject, access: RelayedAccess): Hono {
  return createExplorerApp({ implementation }, access, ["'self'"], true);
}

function createExplorerApp(
  { publicPath, implementation }: ExplorerOptions,
  access: RelayedAccess | undefined,
  connectSources: readonly string[],
  isOpen: boolean,
): Hono {
  const assets = loadExplorerAssets();
  const folder = (publicPath?.replace(/\/?$/, '/') ?? '') + ASSETS_FOLDER;
  const pageAssets = {
    script: folder + assets.script,
    styles: folder + assets.styles,
    icon: folder + assets.icon,
  };
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': contentSecurityPolicy(connectSources),
    'Cache-Control': 'public, max-age=60',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
  };
  const closedPage = isOpen
    ? undefined
    : new StaticAnswer(renderClosedPage(implementation.discovery, pageAssets), headers);
  // A hundred resources take a tenth of a second, and many processes never show a page.
  let description: ImplementationDescription | undefined;
  const pages = new Map<string, StaticAnswer>();

  /** The page of a resource, made when it is first asked for; undefined where there is no such resource. */
  function pageOf(name: string | undefined): StaticAnswer | undefined {
    if (closedPage !== undefined) return closedPage;
    description ??= describeImplementation(implementation);
    const { resources } = description;
    const shown = name === undefined ? resources[0] : resources.find((each) => each.descriptor.name === name);
    if (shown === undefined) return undefined;
    const made =
      pages.get(shown.descriptor.name) ??
      new StaticAnswer(
        renderExplorerPage(description, shown, toExplorerData(description, shown, access), pageAssets),
        headers,
      );
    pages.set(shown.descriptor.name, made);
    return made;
  }

  const answer: Handler = async (c, next) => {
    const { raw, path } = c.req;
    const base = basePath(c).replace(/\/$/, '');
    const rest = path.slice(base.length);
    if (rest === '/' || (rest === '' && publicPath !== undefined))
      return pageOf(c.req.query('resource'))?.answer(raw) ?? c.notFound();
    // Relative addresses need the slash. A relative redirect also works behind a proxy that changes paths.
    if (rest === '') return c.redirect(`${path.slice(path.lastIndexOf('/') + 1)}/`, 308);
    if (!rest.startsWith(`/${ASSETS_FOLDER}`)) return next();
    const file = assets.find(rest.slice(ASSETS_FOLDER.length + 1));
    return file?.answer(raw) ?? c.notFound();
  };
  // Only paths that may be its own, so that it does not see every request of the surrounding app.
  return new Hono().get('/', answer).get(`/:rest{(?:${ASSETS_FOLDER}.*)?}`, answer);
}

/** Only own scripts and styles, no code made of text, connections only to the given sources. */
function contentSecurityPolicy(connectSources: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src ${connectSources.join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
