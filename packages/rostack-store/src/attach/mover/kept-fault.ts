import { type MoveFault, moveFaultOf } from './move-fault.ts';
import type { MoverFault } from './mover-status.ts';

/** A fault that persists is reported again after this time. */
const SUMMARY_MS = 300_000;
/** Further causes of one fault are only reported in its summaries: they may differ each time. */
const MAX_TOLD_CAUSES = 8;

/** A fault since its first failure. */
interface Failing extends MoveFault {
  readonly sinceMs: number;
  readonly failures: number;
  readonly toldMs: number;
  /** The causes that an alarm was raised for; they may alternate. */
  readonly told: ReadonlySet<string>;
}

/** Called to report a fault, with an alarm's code and message. */
export type TellFault = (code: 'move_failed' | 'move_resumed', message: string, cause?: unknown) => void;

/**
 * Keeps the fault that prevents a resource's rows from being moved, and reports it once per cause, again in long intervals, and at its end.
 */
export class KeptFault {
  readonly #name: string;
  readonly #tell: TellFault;
  #failing: Failing | undefined;

  /** @param name of the resource */
  constructor(name: string, tell: TellFault) {
    this.#name = name;
    this.#tell = tell;
  }

  /** Undefined while rows are moved. */
  get now(): { readonly reason: string; readonly fault: MoverFault } | undefined {
    if (this.#failing === undefined) return undefined;
    const { code, advice, reason, sinceMs, failures } = this.#failing;
    return { reason, fault: { code, advice, forMs: performance.now() - sinceMs, failures } };
  }

  fail(cause: unknown): void {
    const nowMs = performance.now();
    const found = moveFaultOf(cause);
    const { sinceMs, failures, toldMs, told } = this.#failing ?? begun(nowMs);
    // Causes with the same remedy count as one.
    const kind = found.advice ?? found.code ?? found.reason;
    const isNews = !told.has(kind) && told.size < MAX_TOLD_CAUSES;
    const isDue = isNews || nowMs - toldMs >= SUMMARY_MS;
    this.#failing = {
      ...found,
      sinceMs,
      failures: failures + 1,
      toldMs: isDue ? nowMs : toldMs,
      told: isNews ? new Set([...told, kind]) : told,
    };
    if (!isDue) return;
    const times = failures === 0 ? '' : `, ${failures + 1} times in ${seconds(nowMs - sinceMs)}`;
    const message = `moving rows of ${this.#name} failed and is tried again${times}: ${found.reason}`;
    this.#tell('move_failed', message, cause);
  }

  recover(): void {
    if (this.#failing === undefined) return;
    const { failures, sinceMs } = this.#failing;
    this.#failing = undefined;
    const forMs = performance.now() - sinceMs;
    const message = `rows of ${this.#name} are moved again, after ${failures} failures in ${seconds(forMs)}`;
    this.#tell('move_resumed', message);
  }

  /** Rows are not moved now for a reason other than a fault. */
  forget(): void {
    this.#failing = undefined;
  }
}

function begun(nowMs: number): Pick<Failing, 'sinceMs' | 'failures' | 'toldMs' | 'told'> {
  return { sinceMs: nowMs, failures: 0, toldMs: nowMs, told: new Set() };
}

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;
