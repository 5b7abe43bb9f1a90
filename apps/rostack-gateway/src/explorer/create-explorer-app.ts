import { Hono } from 'hono';
import type { ImplementationDefinition } from 'rostack-core';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { describeImplementation } from './description/describe-implementation.ts';
import { loadExplorerAssets } from './explorer-assets.ts';
import { renderClosedPage } from './page/closed-page.tsx';
import { renderExplorerPage } from './page/explorer-page.tsx';
import { StaticAnswer } from './static-answer.ts';

const ASSETS_FOLDER = 'explorer-assets/';

export interface ExplorerOptions {
  /** Path that a proxy takes off the front of the advertised paths, such as `/rostack`. @default '' */
  readonly strippedPathPrefix?: string;
}

/**
 * Serves the explorer at the path of `documentation_url`, its scripts and styles in a folder below; other paths go on to the
 * app around. Where discovery is not public the page tells nothing of what it says.
 */
export function createExplorerApp(
  implementation: ImplementationDefinition,
  { strippedPathPrefix = '' }: ExplorerOptions = {},
): Hono {
  const { discovery } = implementation;
  const { pathname } = new URL(discovery.implementation.documentation_url);
  const assetsPath = `${pathname.endsWith('/') ? pathname : `${pathname}/`}${ASSETS_FOLDER}`;
  const assets = loadExplorerAssets();
  const pageAssets = {
    script: assetsPath + assets.script,
    styles: assetsPath + assets.styles,
    icon: assetsPath + assets.icon,
  };
  const isPublic = discovery.authentication.discovery_public ?? true;
  const page = new StaticAnswer(
    isPublic
      ? renderExplorerPage(describeImplementation(implementation), pageAssets)
      : renderClosedPage(discovery, pageAssets),
    {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy(discovery),
      'Cache-Control': 'public, max-age=60',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
    },
  );

  const app = new Hono();
  app.get('*', (c, next) => {
    const { raw } = c.req;
    const path = strippedPathPrefix + c.req.path;
    if (path === pathname) return Promise.resolve(page.answer(raw));
    if (!path.startsWith(assetsPath)) return next();
    return Promise.resolve(assets.find(path.slice(assetsPath.length))?.answer(raw) ?? c.notFound());
  });
  return app;
}
