import { NoticeChannel } from './state-notice.ts';

/** How often a visible tab asks the leading one for a sign of life, in milliseconds. */
const ASK_EVERY_MS = 1_000;
/** Unanswered questions until the set counts as out of date, and until another tab takes over. */
const STALE_AFTER = 3;
const SILENT_AFTER = 5;

export interface LeaderWatchOptions {
  /** Name of the database. */
  readonly database: string;
  readonly key: string;
  readonly onStale: () => void;
  /** Called once; the watch is over then. */
  readonly onSilent: () => void;
}

/**
 * Asks the leading tab whether it is alive, while this tab is visible. The leading tab only answers, because the timers of a tab in the
 * background may come once a minute, and its messages come at once.
 */
export class LeaderWatch {
  readonly #options: LeaderWatchOptions;
  readonly #channel: NoticeChannel;
  readonly #timer: ReturnType<typeof setInterval>;
  #unanswered = 0;

  constructor(options: LeaderWatchOptions) {
    this.#options = options;
    this.#channel = new NoticeChannel(options.database, options.key, ({ kind }) => {
      if (kind === 'status' || kind === 'stored') this.#unanswered = 0;
    });
    this.#timer = setInterval(() => this.#ask(), ASK_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#channel.close();
  }

  #ask(): void {
    if (document.visibilityState !== 'visible') {
      this.#unanswered = 0;
      return;
    }
    if (this.#unanswered === STALE_AFTER) this.#options.onStale();
    if (this.#unanswered === SILENT_AFTER) {
      this.stop();
      this.#options.onSilent();
      return;
    }
    this.#unanswered += 1;
    this.#channel.send({ kind: 'ask' });
  }
}
