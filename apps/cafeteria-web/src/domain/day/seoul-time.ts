import { dayStartMs, seoulToday } from 'menu-client';

/** Minutes since midnight in Seoul, 0 to 1,439. */
export function seoulMinutes(nowMs: number): number {
  return Math.floor((nowMs - dayStartMs(seoulToday(nowMs))) / 60_000);
}

/** `HH:MM` in Seoul of an RFC 3339 time. */
export function seoulClock(time: string): string {
  const minutes = seoulMinutes(Date.parse(time));
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}
