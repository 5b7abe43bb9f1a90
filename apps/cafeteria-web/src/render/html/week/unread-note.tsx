import type { FC } from 'hono/jsx';
import type { DailyMenu } from 'menu-client';
import type { PageContext } from '../../page-context.ts';
import { LoadingNote } from '../parts/loading-note.tsx';

/** Says of a day that was not read whether it is on its way or could not be read. */
export const UnreadNote: FC<{ page: PageContext; day: DailyMenu }> = ({ page, day }) => {
  const [period] = day.periods;
  return period?.status === 'loading' ? (
    <LoadingNote page={page}>{page.text.dayLoading}</LoadingNote>
  ) : (
    <p class="note warn">
      {page.text.failedPeriod} ({page.text.reason(period?.error?.code ?? '')})
    </p>
  );
};
