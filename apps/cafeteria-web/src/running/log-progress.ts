import type { MenuService } from 'menu-client';
import type { Logger } from 'pino';

const LOOK_MS = 1_000;
const LOOKS_PER_LINE = 5;

/** Logs the progress of the first fill: at its start, every five seconds, and at its end. */
export function logProgress(service: MenuService, logger: Logger): Disposable {
  let last = -1;
  let looks = 0;
  const report = async (): Promise<void> => {
    const { prefetch } = await service.health();
    if (prefetch === undefined || prefetch.total === 0 || prefetch.done === last) return;
    const { done, total } = prefetch;
    const due = last < 0 || looks >= LOOKS_PER_LINE || done >= total;
    looks += 1;
    if (!due) return;
    last = done;
    looks = 0;
    logger.info({ done, total }, 'reading the menus of the days ahead');
    if (done >= total) clearInterval(timer);
  };
  const timer = setInterval(() => {
    report().catch((error: unknown) => logger.warn({ err: error }, 'progress is unknown'));
  }, LOOK_MS);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
