import GithubSlugger from 'github-slugger';

/** What the links and images of a Markdown text lead to, inline and by reference; code is left out. */
export function documentLinks(markdown: string): string[] {
  const prose = markdown.replace(/^(```+)[\s\S]*?^\1$/gm, '').replace(/`[^`\n]*`/g, '');
  const inline = [...prose.matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)];
  const defined = [...prose.matchAll(/^\[[^\]]+\]: (\S+)$/gm)];
  return [...inline, ...defined].map((match) => match[1] ?? '');
}

/** The anchors that GitHub gives to the headings of a Markdown text. */
export function headingAnchors(markdown: string): Set<string> {
  const slugger = new GithubSlugger();
  const headings = markdown.replace(/^(```+)[\s\S]*?^\1$/gm, '').matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      slugger.slug(heading.trim().replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?/g, '$1')),
    ),
  );
}
