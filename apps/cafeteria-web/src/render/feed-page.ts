import { seoulToday } from 'menu-client';
import { MESSAGES } from '../i18n/messages.ts';
import type { PageContext } from './page-context.ts';

/** What a feed is rendered with when no request asked for it: Korean. */
export function feedPage(options: {
  readonly origin: string;
  readonly nowMs: number;
  readonly sampleData: boolean;
  readonly assetUrl: (name: string) => string;
}): PageContext {
  const { origin, nowMs, sampleData, assetUrl } = options;
  return {
    origin,
    language: 'ko',
    languageInLinks: false,
    text: MESSAGES.ko,
    today: seoulToday(nowMs),
    sampleData,
    assetUrl,
  };
}
