import type { StoreAlarm } from '../../errors/index.ts';

/** Makes a function that raises the alarm when hints stop coming or a watcher fails. */
export function watchFailed(onAlarm: (alarm: StoreAlarm) => void): (cause: unknown) => void {
  return (cause) => {
    const message = `hints are not heard or not followed, polling goes on: ${cause instanceof Error ? cause.message : String(cause)}`;
    onAlarm({ code: 'watch_failed', message, resource: undefined, cause });
  };
}
