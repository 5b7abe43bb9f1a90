/** What the links and images of a Markdown text lead to, inline and by reference; code is left out. */
export function documentLinks(markdown: string): string[] {
  const prose = markdown.replace(/^(```+)[\s\S]*?^\1$/gm, '').replace(/`[^`\n]*`/g, '');
  const inline = [...prose.matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)];
  const defined = [...prose.matchAll(/^\[[^\]]+\]: (\S+)$/gm)];
  return [...inline, ...defined].map((match) => match[1] ?? '');
}

/** The anchors that GitHub gives to the headings of a Markdown text. */
export function headingAnchors(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of markdown.replace(/^(```+)[\s\S]*?^\1$/gm, '').matchAll(/^#+ (.+)$/gm)) {
    const slug = heading
      .trim()
      .toLowerCase()
      .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?/g, '$1')
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}
