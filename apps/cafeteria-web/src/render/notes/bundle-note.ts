import { type Bundle, seoulToday } from 'menu-client';
import { seoulClock } from '../../domain/day/seoul-time.ts';
import type { PageContext } from '../page-context.ts';

/** What to say of a bundle whose items are old or missing; undefined when all is well. */
export function bundleNote(page: PageContext, { status, fetchedAt, error }: Bundle): string | undefined {
  const { text } = page;
  if (status === 'empty') return text.bundleEmpty;
  if (status === 'loading') return text.bundleLoading;
  if (status === 'failed') return text.bundleFailed(text.reason(error?.code ?? ''));
  if (status !== 'stale' || fetchedAt === undefined) return undefined;
  return text.bundleStale(text.date(seoulToday(Date.parse(fetchedAt))), seoulClock(fetchedAt));
}
