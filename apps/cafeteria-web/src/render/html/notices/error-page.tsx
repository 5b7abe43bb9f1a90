import { linkTo, type PageContext } from '../../page-context.ts';
import { toDocument } from '../frame/document.ts';
import { Layout } from '../frame/layout.tsx';

export interface ErrorPageModel {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly requestId?: string;
  /** True when the page itself is on its way. @default false */
  readonly loading?: boolean;
}

export function renderErrorPage(page: PageContext, model: ErrorPageModel): string {
  return toDocument(
    <Layout
      page={page}
      title={`${model.title} | ${page.text.siteName}`}
      description={model.detail}
      path="/"
      indexed={false}
      addressed={false}
      loading={model.loading === true}
    >
      <div class="error">
        <p class="status">{model.status}</p>
        <h1>{model.title}</h1>
        <p>{model.detail}</p>
        {model.loading === true ? (
          <noscript>
            <p class="hint">{page.text.loadingReload}</p>
          </noscript>
        ) : null}
        {model.requestId === undefined ? null : (
          <p class="hint">
            {page.text.requestId} <code>{model.requestId}</code>
          </p>
        )}
        <p>
          <a class="button" href={linkTo(page, '/')}>
            {page.text.backHome}
          </a>
        </p>
      </div>
    </Layout>,
  );
}

export function renderErrorMarkdown(
  page: PageContext,
  error: {
    readonly status: number;
    readonly title: string;
    readonly detail: string;
    readonly requestId?: string;
  },
): string {
  const request = error.requestId === undefined ? '' : `\n${page.text.requestId}: ${error.requestId}\n`;
  return `# ${error.status} ${error.title}\n\n${error.detail}\n${request}\n- [${page.text.backHome}](${page.origin}${linkTo(page, '/')})\n- [${page.text.forAssistants}](${page.origin}/llms.txt)\n`;
}
