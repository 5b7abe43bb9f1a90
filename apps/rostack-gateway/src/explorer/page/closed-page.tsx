import type { DiscoveryDocument } from 'rostack-core';
import { toDocument } from './document.ts';
import { MethodList } from './method-list.tsx';
import { type PageAssets, PageHead } from './page-head.tsx';

/** The page of an implementation whose discovery is not public: how to get in, and nothing of what is inside. */
export function renderClosedPage(
  { implementation, endpoints, authentication }: DiscoveryDocument,
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
