import type { Child } from 'hono/jsx';

/** Paths of the files that the page loads. */
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

/** What every page has in its head. */
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
