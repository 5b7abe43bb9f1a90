import { MenuError, type MenuErrorCode, OperatorError } from '../../domain/menu-error.ts';
import type { Clock } from '../../http/clock.ts';
import type {
  AccountRefusal,
  Exclusively,
  Operator,
  OperatorNotes,
  ReadOptions,
} from '../../operator/operator.ts';
import { type LeaseHolder, withLease } from '../../store/hold-lease.ts';
import { storeNotes } from '../../store/store-notes.ts';
import type { OperatorHealth, ReadSubject } from '../contract/menu-service.ts';
import { PartialFailures } from './partial-failures.ts';
import { type Listen, Silences } from './silences.ts';

/** When a failing operator is left alone for a while. */
export interface CircuitOptions {
  /** How many reads in a row may fail before no more are tried. @default 5 */
  readonly maxFailures: number;
  /** How long no read is tried then; after that, one is. @default 30 s */
  readonly pauseMs: number;
}

export const DEFAULT_CIRCUIT: CircuitOptions = { maxFailures: 5, pauseMs: 30_000 };

/** Failures that say nothing about the operator's state. */
const NEUTRAL: ReadonlySet<MenuErrorCode> = new Set<MenuErrorCode>([
  'aborted',
  'closed',
  'restaurant_not_found',
  'menu_not_found',
  'circuit_open',
]);

/** Answers that this package could not read: asking less often would not help, somebody has to look at it. */
const UNREADABLE: ReadonlySet<MenuErrorCode> = new Set<MenuErrorCode>([
  'operator_answer_invalid',
  'operator_answer_too_large',
]);

/** The operator's own code waits, and no request is made meanwhile: that is no failure of another request. */
const WAITING: ReadonlySet<MenuErrorCode> = new Set<MenuErrorCode>(['login_refused', 'operator_maintenance']);

/** What another process, or a person, has changed meanwhile is noticed after this. */
const LOOK_AGAIN_MS = 60_000;

const EXCLUSIVE_POLL_MS = 25;
const DEFAULT_TIMEOUT_MS = 10_000;

/** What could not be read, and since when. */
interface Unread {
  readonly reason: MenuErrorCode;
  readonly sinceMs: number;
}

/** How much of a value was read. */
export interface ReadOutcome {
  /** What was asked for, such as a restaurant's day. */
  readonly place: string;
  /** Why some of it could not be read; undefined if all was. */
  readonly error: MenuError | undefined;
  /** True if none of it could be read: a failure of the operator. */
  readonly isWhole: boolean;
}

/** Every read of one operator goes through here: its circuit, its health, and its turn among processes. */
export class OperatorGate {
  readonly operator: Operator;
  readonly #clock: Clock;
  readonly #circuit: CircuitOptions;
  readonly #lease: LeaseHolder;
  readonly #closing: AbortSignal;
  #failures = 0;
  #lastFailure: unknown;
  #openUntilMs = 0;
  #probing = false;
  #waiting: { readonly error: MenuError; readonly untilMs: number; readonly lookAtMs: number } | undefined;
  #lastSuccessAtMs: number | undefined;
  readonly #retrying = new Map<ReadSubject, Unread>();

  readonly #silences: Silences;
  readonly #partial: PartialFailures;
  readonly #notes: OperatorNotes;
  readonly #onUnreadable: (what: ReadSubject, error: MenuError) => void;
  readonly #onRefused: (error: MenuError) => void;
  #isRefused = false;

  constructor(
    operator: Operator,
    lease: LeaseHolder,
    circuit: CircuitOptions,
    closing: AbortSignal,
    onUnreadable: (what: ReadSubject, error: MenuError) => void,
    onRefused: (error: MenuError) => void,
  ) {
    this.#onRefused = onRefused;
    this.#onUnreadable = onUnreadable;
    this.operator = operator;
    this.#lease = lease;
    this.#clock = lease.clock;
    this.#silences = new Silences(lease.clock);
    this.#partial = new PartialFailures(lease.clock);
    this.#notes = storeNotes(lease.store, operator.vendor);
    this.#circuit = circuit;
    this.#closing = closing;
  }

  /** Milliseconds until a read is let through; 0 while one is. */
  get pausedMs(): number {
    return Math.max(0, this.#openUntilMs - this.#clock.nowMs(), this.#waitingMs);
  }

  /** Whether the operator refuses the account, as far as any process knows. */
  async refusal(): Promise<AccountRefusal | undefined> {
    return this.operator.refusal?.(this.#notes);
  }

  /** True once the service is being closed: what fails from then on says nothing about the operator. */
  get closed(): boolean {
    return this.#closing.aborted;
  }

  get lastSuccessAtMs(): number | undefined {
    return this.#lastSuccessAtMs;
  }

  /** @throws OperatorError `circuit_open`, and what the read throws, or threw when the operator is left alone for it */
  async read<T>(
    what: ReadSubject,
    read: (operator: Operator, options: ReadOptions) => Promise<T>,
    priority: ReadOptions['priority'] = 'foreground',
    outcomeOf: (value: T) => ReadOutcome | undefined = () => undefined,
  ): Promise<T> {
    const probe = this.#admit();
    try {
      const value = await this.#silences.during(what, (listen) =>
        read(this.operator, {
          priority,
          signal: this.#closing,
          exclusively: this.#exclusively(listen),
          notes: this.#notes,
        }),
      );
      const outcome = outcomeOf(value);
      if (outcome?.isWhole === true) this.#failed(what, outcome.error);
      else this.#succeeded(what);
      if (outcome !== undefined) this.#notePartial(what, outcome);
      return value;
    } catch (error) {
      this.#failed(what, error);
      throw error;
    } finally {
      if (probe) this.#probing = false;
    }
  }

  /**
   * @param knownSuccessAtMs the last success recorded by any process
   * @param answers whether questions can be answered, if only from the cache
   * @param refusal of the account
   */
  health(
    knownSuccessAtMs: number | undefined,
    answers: boolean,
    refusal: AccountRefusal | undefined,
  ): OperatorHealth {
    const lastMs = Math.max(this.#lastSuccessAtMs ?? 0, knownSuccessAtMs ?? 0);
    const open = this.#openUntilMs > this.#clock.nowMs();
    const counted = this.#failures >= this.#circuit.maxFailures;
    const retrying = this.#unread();
    return {
      vendor: this.operator.vendor,
      // Only what is not fresh is ever read, so what is being retried is not fresh.
      status: !answers ? 'down' : retrying.size > 0 || refusal !== undefined ? 'degraded' : 'ok',
      lastSuccessAt: lastMs > 0 ? timestamp(lastMs) : null,
      retrying: [...retrying].map(([what, { reason, sinceMs }]) => ({
        what,
        reason,
        since: timestamp(sinceMs),
      })),
      needsPerson:
        refusal === undefined
          ? null
          : {
              reason: 'login_refused',
              since: timestamp(refusal.sinceMs),
              nextTryAt: timestamp(refusal.nextLoginAtMs),
            },
      circuit: {
        state: open ? 'open' : counted ? 'half-open' : 'closed',
        failures: this.#failures,
        retryAt: open ? timestamp(this.#openUntilMs) : null,
      },
    };
  }

  /** What failed, and what the operator has been silent about for longer than one request may take. */
  #unread(): ReadonlyMap<ReadSubject, Unread> {
    const unread = new Map<ReadSubject, Unread>([...this.#partial.bySubject(), ...this.#retrying]);
    const silent = this.#silences.longerThan(this.operator.requestTimeoutMs ?? DEFAULT_TIMEOUT_MS);
    for (const [what, sinceMs] of silent)
      if (!unread.has(what)) unread.set(what, { reason: 'operator_timeout', sinceMs });
    return unread;
  }

  /** True if this read is the one that finds out whether the operator is back. */
  #admit(): boolean {
    if (this.#waiting !== undefined && this.#waitingMs > 0) {
      const { error, untilMs } = this.#waiting;
      const retryAfterMs = untilMs - this.#clock.nowMs();
      throw new OperatorError(this.operator.vendor, error.code, error.message, {
        cause: error,
        retryAfterMs,
      });
    }
    if (this.#failures < this.#circuit.maxFailures) return false;
    const waitMs = this.pausedMs;
    if (waitMs > 0 || this.#probing) {
      throw new OperatorError(
        this.operator.vendor,
        'circuit_open',
        'The operator failed several times in a row.',
        {
          ...(this.#lastFailure === undefined ? {} : { cause: this.#lastFailure }),
          retryAfterMs: waitMs > 0 ? waitMs : 1000,
        },
      );
    }
    this.#probing = true;
    return true;
  }

  get #waitingMs(): number {
    return Math.max(0, (this.#waiting?.lookAtMs ?? 0) - this.#clock.nowMs());
  }

  #succeeded(what: ReadSubject): void {
    this.#retrying.delete(what);
    this.#waiting = undefined;
    this.#isRefused = false;
    this.#failures = 0;
    this.#openUntilMs = 0;
    this.#lastSuccessAtMs = this.#clock.nowMs();
  }

  /** The operator answers, so what failed counts for health and not for the circuit. */
  #notePartial(what: ReadSubject, { isWhole, place, error }: ReadOutcome): void {
    const missing = isWhole || error === undefined || NEUTRAL.has(error.code) ? undefined : error;
    this.#partial.note(what, place, missing?.code);
    if (missing !== undefined && UNREADABLE.has(missing.code)) this.#onUnreadable(what, missing);
  }

  #failed(what: ReadSubject, error: unknown): void {
    if (error instanceof MenuError) {
      if (NEUTRAL.has(error.code)) return;
      const sinceMs = this.#retrying.get(what)?.sinceMs ?? this.#clock.nowMs();
      this.#retrying.set(what, { reason: error.code, sinceMs });
      if (UNREADABLE.has(error.code)) {
        // The operator answered, so earlier failures no longer count as a row.
        this.#failures = 0;
        this.#openUntilMs = 0;
        this.#onUnreadable(what, error);
        return;
      }
    }
    if (error instanceof MenuError && error.code === 'login_refused' && !this.#isRefused) {
      this.#isRefused = true;
      this.#onRefused(error);
    }
    if (error instanceof MenuError && isWait(error)) {
      const nowMs = this.#clock.nowMs();
      const untilMs = nowMs + (error.retryAfterMs ?? 0);
      this.#waiting = { error, untilMs, lookAtMs: Math.min(untilMs, nowMs + LOOK_AGAIN_MS) };
      return;
    }
    this.#lastFailure = error;
    this.#failures += 1;
    if (this.#failures < this.#circuit.maxFailures) return;
    const waitMs = error instanceof MenuError ? (error.retryAfterMs ?? 0) : 0;
    this.#openUntilMs = this.#clock.nowMs() + Math.max(waitMs, this.#circuit.pauseMs);
  }

  #exclusively(listen: Listen): Exclusively {
    return async (request, signal) => {
      if (this.operator.maxConcurrentRequests > 1) return listen(request);
      for (;;) {
        const held = await withLease(this.#lease, `operator:${this.operator.vendor}`, () => listen(request));
        if (held !== undefined) return held.value;
        await this.#clock.sleep(EXCLUSIVE_POLL_MS, signal);
        if (signal?.aborted === true) {
          throw new OperatorError(this.operator.vendor, 'aborted', 'The read was ended by its caller.');
        }
      }
    };
  }
}

/** Also for a login that could not be made: its failure is told again until the next one. */
function isWait(error: MenuError): boolean {
  const repeats = error.retryAfterMs !== undefined;
  return (
    WAITING.has(error.code) ||
    (repeats && (error.code === 'session_rejected' || error.cause instanceof MenuError))
  );
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
