import { type ReportedAlarm, SHOWN_DIALS } from '../../cluster/peers/dials.ts';

/** The latest alarms of this process; repetitions in a row count as one. */
export class RecentAlarms {
  readonly #nowMs: () => number;
  #alarms: readonly ReportedAlarm[] = [];

  /** @param nowMs milliseconds since 1970 */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The latest first. */
  get alarms(): readonly ReportedAlarm[] {
    return this.#alarms;
  }

  note(kind: string, message: string): void {
    const [last] = this.#alarms;
    const isSame = last?.kind === kind && last.message === message;
    const alarm = { kind, message, atMs: this.#nowMs(), count: isSame ? last.count + 1 : 1 };
    this.#alarms = [alarm, ...this.#alarms.slice(isSame ? 1 : 0)].slice(0, SHOWN_DIALS.alarms);
  }
}
