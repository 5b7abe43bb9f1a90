import type { Child } from 'hono/jsx';

/** Paths, from the page, of the files that it loads. */
export interface PageAssets {
  readonly script: string;
  readonly styles: string;
  readonly icon: string;
}

interface PageHeadProps {
  readonly title: string;
  readonly assets: PageAssets;
  readonly children?: Child;
}

/** The head that every page has. */
export function PageHead({ title, assets, children }: PageHeadProps) {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content="#101318" media="(prefers-color-scheme: dark)" />
      <title>{title}</title>
      <link rel="icon" href={assets.icon} type="image/svg+xml" />
      <link rel="stylesheet" href={assets.styles} />
      {children}
    </head>
  );
}

/** A wide element that scrolls inside itself, also by keyboard. */
export function Scroller({ label, children }: { readonly label: string; readonly children?: Child }) {
  return (
    <section class="scroller" aria-label={label} tabindex={0}>
      {children}
    </section>
  );
}

/** The element as a whole document. The tree holds no asynchronous component, so this is text at once. */
export function toDocument(element: { toString(): string }): string {
  return `<!doctype html>${element.toString()}`;
}

/** `<` is written as an escape, so that no text can end the surrounding script element. */
export const embeddedJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
