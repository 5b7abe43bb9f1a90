import { feedPage } from '../../src/render/page-context.ts';

/** What is written without a visitor's choices, at noon of Friday, 20 November 2026 in Seoul. */
export const samplePage = feedPage({
  origin: 'https://menus.example',
  authority: 'menus.example',
  nowMs: Date.parse('2026-11-20T12:00:00+09:00'),
  sampleData: false,
  assetUrl: (name) => `/assets/${name}`,
  photos: { stateOf: () => undefined },
});
