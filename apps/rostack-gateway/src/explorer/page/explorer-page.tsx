import { raw } from 'hono/html';
import type { ImplementationDescription } from '../description/describe-implementation.ts';
import { EXPLORER_DATA_ID, EXPLORER_ROOT_ID } from '../explorer-data.ts';
import { Access } from './access.tsx';
import { Contents } from './contents.tsx';
import { embeddedJson, toDocument } from './document.ts';
import { Errors } from './errors.tsx';
import { toExplorerData } from './explorer-data-of.ts';
import { Limits } from './limits.tsx';
import { Operators } from './operators.tsx';
import { Overview } from './overview.tsx';
import { ResourceSection } from './resource-section.tsx';

/** Paths of the files that the page loads. */
export interface PageAssets {
  readonly script: string;
  readonly styles: string;
  readonly icon: string;
}

/** The whole page: all that discovery and the schemas say, for people; its script adds browsing and live events. */
export function renderExplorerPage(description: ImplementationDescription, assets: PageAssets): string {
  const { discovery, resources } = description;
  const { name } = discovery.implementation;
  return toDocument(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#101318" media="(prefers-color-scheme: dark)" />
        <title>{`${name}: API explorer`}</title>
        <meta
          name="description"
          content={`What ${name} offers by rostack_v1: resources, fields, filters, events, limits and errors.`}
        />
        <link rel="icon" href={assets.icon} type="image/svg+xml" />
        <link rel="stylesheet" href={assets.styles} />
        <script type="module" src={assets.script}></script>
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <Contents description={description} />
        <main id="content">
          <Overview discovery={discovery} />
          <section id="explore" aria-labelledby="explore-title">
            <h2 id="explore-title">Explore</h2>
            <div id={EXPLORER_ROOT_ID}>
              <noscript>
                <p class="note">
                  With JavaScript, this part of the page browses records and shows live events. All that
                  stands below works without it.
                </p>
              </noscript>
            </div>
          </section>
          <section id="resources" aria-labelledby="resources-title">
            <h2 id="resources-title">Resources</h2>
            {resources.map((resource) => (
              <ResourceSection description={resource} />
            ))}
          </section>
          <Access discovery={discovery} />
          <Operators discovery={discovery} />
          <Limits discovery={discovery} />
          <Errors errors={discovery.errors} />
        </main>
        <script type="application/json" id={EXPLORER_DATA_ID}>
          {raw(embeddedJson(toExplorerData(description)))}
        </script>
      </body>
    </html>,
  );
}
