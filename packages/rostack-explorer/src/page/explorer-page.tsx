import { raw } from 'hono/html';
import type { AnyDiscoveryDocument } from 'rostack-core';
import type {
  ImplementationDescription,
  ResourceDescription,
} from '../description/describe-implementation.ts';
import {
  EXPLORER_DATA_ID,
  EXPLORER_ROOT_ID,
  type ExplorerData,
  RESOURCE_LIST_ID,
  RESOURCE_TITLE_ID,
  resourcePage,
} from '../description/explorer-data.ts';
import { Access, MethodList } from './access.tsx';
import { Errors } from './errors.tsx';
import { Limits } from './limits.tsx';
import { Operators } from './operators.tsx';
import { Overview } from './overview.tsx';
import { embeddedJson, type PageAssets, PageHead, toDocument } from './parts.tsx';
import { ResourceSection } from './resource-section.tsx';

const DRAWER_ID = 'about';

/** The page of a resource: its records and live events, which the script adds, and what discovery and the schemas say of it. */
export function renderExplorerPage(
  description: ImplementationDescription,
  shown: ResourceDescription,
  data: ExplorerData,
  assets: PageAssets,
): string {
  const { discovery } = description;
  const { name } = discovery.implementation;
  const { descriptor } = shown;
  return toDocument(
    <html lang="en">
      <PageHead title={`${descriptor.name}: ${name}`} assets={assets}>
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
        <Contents description={description} shown={descriptor.name} />
        <main id="content">
          <header id={RESOURCE_TITLE_ID} class="title">
            <h1 tabindex={-1}>{descriptor.name}</h1>
            {descriptor.description === undefined ? null : <p>{descriptor.description}</p>}
          </header>
          <div id={EXPLORER_ROOT_ID}>
            <noscript>
              <p class="note">
                With JavaScript, this part of the page browses records and shows live events. All that follows
                works without it.
              </p>
            </noscript>
          </div>
          <ResourceSection description={shown} />
        </main>
        <Drawer discovery={discovery} />
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

/** What holds for all resources, over the page when somebody asks for it. */
function Drawer({ discovery }: { readonly discovery: AnyDiscoveryDocument }) {
  return (
    <aside id={DRAWER_ID} class="drawer" popover="auto" aria-label="About this API">
      <button type="button" class="quiet close" popovertarget={DRAWER_ID} popovertargetaction="hide">
        Close
      </button>
      <Overview discovery={discovery} />
      <Access discovery={discovery} />
      <Operators discovery={discovery} />
      <Limits discovery={discovery} />
      {'errors' in discovery ? <Errors errors={discovery.errors} /> : null}
    </aside>
  );
}

/** The implementation's name, what is said of it as a whole, and its resources. */
function Contents({
  description: { discovery, resources },
  shown,
}: {
  readonly description: ImplementationDescription;
  readonly shown: string;
}) {
  return (
    <header class="side">
      <div class="brand">
        <span>{discovery.implementation.name}</span>
        <button type="button" popovertarget={DRAWER_ID}>
          About this API
        </button>
      </div>
      <nav id={RESOURCE_LIST_ID} aria-label="Resources">
        <ul>
          {resources.map(({ descriptor: { name } }) => (
            <li>
              <a href={resourcePage(name)} aria-current={name === shown ? 'page' : undefined}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}
