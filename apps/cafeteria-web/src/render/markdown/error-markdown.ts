import { linkTo, type PageContext } from '../page-context.ts';

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
