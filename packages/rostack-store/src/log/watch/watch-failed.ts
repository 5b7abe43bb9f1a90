import type { StoreAlarm } from '../../errors/index.ts';

/** Makes a function that raises the alarm when hints stop coming or a watcher fails. */
export function watchFailed(onAlarm: (alarm: StoreAlarm) => void): (cause: unknown) => void {
  return (cause) => {
    const message = `hints are not received or not handled, polling continues: ${cause instanceof Error ? cause.message : String(cause)}`;
    onAlarm({ code: 'watch_failed', message, resource: undefined, cause });
  };
}
