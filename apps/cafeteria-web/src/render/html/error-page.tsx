import { linkTo, type PageContext } from '../page-context.ts';
import { toDocument } from './document.ts';
import { Layout } from './layout.tsx';

export interface ErrorPageModel {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly requestId?: string;
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
    >
      <div class="error">
        <p class="status">{model.status}</p>
        <h1>{model.title}</h1>
        <p>{model.detail}</p>
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
