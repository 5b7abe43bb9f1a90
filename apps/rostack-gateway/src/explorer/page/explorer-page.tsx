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
import { type PageAssets, PageHead } from './page-head.tsx';
import { ResourceSection } from './resource-section.tsx';

/** The whole page: all that discovery and the schemas say, for people; its script adds browsing and live events. */
export function renderExplorerPage(description: ImplementationDescription, assets: PageAssets): string {
  const { discovery, resources } = description;
  const { name } = discovery.implementation;
  return toDocument(
    <html lang="en">
      <PageHead title={`${name}: API explorer`} assets={assets}>
        <meta
          name="description"
          content={`What ${name} offers by rostack_v1: resources, fields, filters, events, limits and errors.`}
        />
        <script type="module" src={assets.script}></script>
      </PageHead>
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
