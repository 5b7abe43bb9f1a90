import { raw } from 'hono/html';
import type { AnyDiscoveryDocument } from 'rostack-core';
import type { ImplementationDescription } from '../description/describe-implementation.ts';
import { EXPLORER_DATA_ID, EXPLORER_ROOT_ID, type ExplorerData } from '../description/explorer-data.ts';
import { Access, MethodList } from './access.tsx';
import { Errors } from './errors.tsx';
import { Limits } from './limits.tsx';
import { Operators } from './operators.tsx';
import { Overview } from './overview.tsx';
import { embeddedJson, type PageAssets, PageHead, toDocument } from './parts.tsx';
import { ResourceSection, resourceId } from './resource-section.tsx';

/** The whole page: everything that discovery and the schemas say; its script adds records and live events. */
export function renderExplorerPage(
  description: ImplementationDescription,
  data: ExplorerData,
  assets: PageAssets,
): string {
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
                  follows works without it.
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
          {'errors' in discovery ? <Errors errors={discovery.errors} /> : null}
        </main>
        <script type="application/json" id={EXPLORER_DATA_ID}>
          {raw(embeddedJson(data))}
        </script>
      </body>
    </html>,
  );
}

/** The page of an implementation whose discovery is not public: only how to authenticate. */
export function renderClosedPage(
  { implementation, endpoints, authentication }: AnyDiscoveryDocument,
  assets: PageAssets,
): string {
  return toDocument(
    <html lang="en">
      <PageHead title={implementation.name} assets={assets} />
      <body class="closed">
        <main>
          <h1>{implementation.name}</h1>
          <p class="lede">What this server offers is shown to those with credentials only.</p>
          <p>
            Ask for its discovery document with them: <code>{endpoints.discovery}</code>
          </p>
          <MethodList methods={authentication.methods} />
        </main>
      </body>
    </html>,
  );
}

/** The table of contents. */
function Contents({ description }: { readonly description: ImplementationDescription }) {
  const { discovery, resources } = description;
  return (
    <header class="side">
      <a class="brand" href="#content">
        {discovery.implementation.name}
      </a>
      <nav aria-label="Contents">
        <ul>
          <li>
            <a href="#explore">Explore</a>
          </li>
          <li>
            <a href="#resources">Resources</a>
            <ul>
              {resources.map(({ descriptor: { name } }) => (
                <li>
                  <a href={`#${resourceId(name)}`}>{name}</a>
                </li>
              ))}
            </ul>
          </li>
          <li>
            <a href="#access">Access</a>
          </li>
          <li>
            <a href="#operators">Filters</a>
          </li>
          <li>
            <a href="#limits">Limits</a>
          </li>
          {'errors' in discovery ? (
            <li>
              <a href="#errors">Errors</a>
            </li>
          ) : null}
        </ul>
      </nav>
    </header>
  );
}
