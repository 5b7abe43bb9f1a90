import type { StoreAlarm } from '../errors/index.ts';

/** What to call when hints have stopped coming, or whoever they were for has failed: raises the alarm. */
export function watchFailed(onAlarm: (alarm: StoreAlarm) => void): (cause: unknown) => void {
  return (cause) => {
    const message = `hints are not heard or not followed, polling goes on: ${cause instanceof Error ? cause.message : String(cause)}`;
    onAlarm({ code: 'watch_failed', message, resource: undefined, cause });
  };
}
