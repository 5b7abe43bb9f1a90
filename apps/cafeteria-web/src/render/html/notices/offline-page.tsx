import type { PageContext } from '../../page-context.ts';
import { toDocument } from '../frame/document.ts';
import { Layout } from '../frame/layout.tsx';

/** What the service worker shows when the server cannot be reached; the script lists the pages that are kept. */
export function renderOfflinePage(page: PageContext): string {
  const { text } = page;
  return toDocument(
    <Layout
      page={page}
      title={`${text.offlineTitle} | ${text.siteName}`}
      description={text.offlineDetail}
      path="/offline"
      indexed={false}
      addressed={false}
      scripts={['kept-pages.js']}
    >
      <h1 class="hero" data-online={text.unreachableTitle}>
        {text.offlineTitle}
      </h1>
      <p class="hint">{text.offlineDetail}</p>
      <ul class="list" data-kept-pages hidden />
      <p class="note" data-kept-none>
        {text.offlineEmpty}
      </p>
    </Layout>,
  );
}

export function renderOfflineMarkdown(page: PageContext): string {
  return `# ${page.text.offlineTitle}\n\n${page.text.offlineDetail}\n`;
}
