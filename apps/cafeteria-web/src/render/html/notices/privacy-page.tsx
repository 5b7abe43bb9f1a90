import type { PageContext } from '../../page-context.ts';
import { toDocument } from '../frame/document.ts';
import { Layout } from '../frame/layout.tsx';

/** What this site keeps about its visitors, in plain words. */
export function renderPrivacyPage(page: PageContext): string {
  const { text } = page;
  return toDocument(
    <Layout
      page={page}
      title={`${text.privacyTitle} | ${text.siteName}`}
      description={text.privacyLead}
      path="/privacy"
    >
      <article class="privacy">
        <h1>{text.privacyTitle}</h1>
        <p>{text.privacyLead}</p>
        {text.privacy.map(({ title, detail }) => (
          <section>
            <h2>{title}</h2>
            <p>{detail}</p>
          </section>
        ))}
      </article>
    </Layout>,
  );
}

/** The same as Markdown. */
export function renderPrivacyMarkdown({ text }: PageContext): string {
  const sections = text.privacy.map(({ title, detail }) => `## ${title}\n\n${detail}\n`);
  return [`# ${text.privacyTitle}\n`, `${text.privacyLead}\n`, ...sections].join('\n');
}
