import type { MenuService } from 'menu-client';
import type { Logger } from 'pino';

const EVERY_MS = 5_000;

/** Writes into the log how far the first fill is, until it is done. */
export function logProgress(service: MenuService, logger: Logger): Disposable {
  let last = -1;
  const report = async (): Promise<void> => {
    const { prefetch } = await service.health();
    if (prefetch === undefined || prefetch.total === 0 || prefetch.done === last) return;
    last = prefetch.done;
    logger.info({ done: prefetch.done, total: prefetch.total }, 'reading the menus of the days ahead');
    if (prefetch.done >= prefetch.total) clearInterval(timer);
  };
  const timer = setInterval(() => {
    report().catch((error: unknown) => logger.warn({ err: error }, 'progress is unknown'));
  }, EVERY_MS);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
