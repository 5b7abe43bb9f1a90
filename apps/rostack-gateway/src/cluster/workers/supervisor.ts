import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { GatewayConfig } from '../../config/model/gateway-config.ts';
import { TrustedProxies } from '../../serving/listener/trusted-proxies.ts';
import { errorMessage } from '../../text/error-message.ts';
import { type ListenerName, MESSAGE_VERSION, type Reported, type Surveyed } from '../peers/messages.ts';
import { type Accepted, Acceptor } from './acceptor.ts';
import { ConnectionCounters } from './connection-counters.ts';
import { MachineMetrics } from './machine-metrics.ts';
import { RateCounters } from './rate-counters.ts';
import { type WorkerHandlers, WorkerProcess } from './worker-process.ts';

/** A worker that lasts this long has not failed to start. */
const STEADY_MS = 10_000;
const MIN_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
/** If a worker takes longer, its previous report is used. */
const REPORT_TIMEOUT_MS = 1_000;
/** How long a worker may take for a sign of life, and the pause before the next one. */
const LIFE_INTERVAL_MS = 1_000;
/** A busy worker may miss some. */
const MISSED_SIGNS = 10;

export interface SupervisorOptions {
  /** How many workers to run; the first one is the lead. */
  readonly count: number;
  /** Starts a process that will say hello. */
  readonly fork: () => ChildProcess;
  /** Where to accept connections, and how many. */
  readonly listeners: GatewayConfig['listeners'];
  readonly logger: Logger;
}

/** Where the workers serve. */
export interface Served {
  readonly url: string;
  readonly port: number;
  /** Undefined if there is no admin listener. */
  readonly adminPort: number | undefined;
}

/** A place that one worker should always fill. */
interface Slot {
  readonly isLead: boolean;
  current: WorkerProcess;
  /** How many workers in a row ended without serving for long. */
  failures: number;
}

/**
 * Manages the workers of a machine: starts them, replaces those that end, counts rates and places for all of them, forwards the lead's news
 * of the logs, and adds up their metrics. It opens no store and serves no requests itself.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #rates = new RateCounters();
  readonly #places = new ConnectionCounters<WorkerProcess>();
  readonly #acceptors = new Map<ListenerName, Acceptor>();
  readonly #metrics = new MachineMetrics<WorkerProcess>(
    () => this.#serving.length,
    () => new Map([...this.#acceptors].map(([name, { refused }]) => [name, refused])),
  );
  readonly #processes = new Set<WorkerProcess>();
  /** The lead's slot is the first. */
  readonly #slots = new Set<Slot>();
  readonly #stopped = new AbortController();
  #lead: WorkerProcess | undefined;
  #lastNumber = 0;
  #renewing: Promise<void> = Promise.resolve();

  private constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /**
   * Starts the lead, then the others, and resolves when all serve.
   * @throws PortInUseError `port_in_use`
   * @throws WorkerFailedError `worker_failed` if one of them cannot start; all are stopped then
   */
  static async start(
    options: SupervisorOptions,
  ): Promise<{ readonly supervisor: Supervisor; readonly served: Served }> {
    const supervisor = new Supervisor(options);
    try {
      await supervisor.#bind();
      const lead = supervisor.#makeSlot(true);
      // The lead creates what all of them need: tables, keys, a certificate.
      const url = await lead.current.serving;
      const others = Array.from({ length: options.count - 1 }, () => supervisor.#makeSlot(false));
      await Promise.all(others.map(({ current }) => current.serving));
      const [port = 0, adminPort] = [...supervisor.#acceptors.values()].map((acceptor) => acceptor.port);
      return { supervisor, served: { url, port, adminPort } };
    } catch (error) {
      await supervisor.stop();
      throw error;
    }
  }

  /**
   * Replaces the workers one by one: each is told to leave when its successor serves, and the next one follows when it has ended. Then
   * workers are added or removed to reach `count`. If a successor does not start, the remaining workers stay. A second call waits for the
   * first.
   * @param count how many workers there should be, 1 or more
   */
  renew(count: number): Promise<void> {
    this.#renewing = this.#renewing.then(async () => {
      if (await this.#renewAll(count)) await this.#resize(count);
    });
    return this.#renewing;
  }

  /** Has all workers drain, and resolves when they have ended. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    // The lead answers operators until it ends, so the admin listener stays open.
    this.#acceptors.get('data')?.[Symbol.dispose]();
    for (const process of this.#processes) process.leave(false);
    await Promise.all([...this.#processes].map(({ exited }) => exited));
    this.#acceptors.get('admin')?.[Symbol.dispose]();
  }

  get #serving(): readonly WorkerProcess[] {
    return [...this.#slots]
      .map(({ current }) => current)
      .filter(({ servingSinceMs }) => servingSinceMs !== undefined);
  }

  async #bind(): Promise<void> {
    const { data, admin } = this.#options.listeners;
    const proxies = new TrustedProxies(data.trustedProxies);
    const isProxy = (address: string | undefined) => proxies.isTrusted(address);
    for (const [name, listener] of [['data', data] as const, ['admin', admin] as const]) {
      if (listener === undefined) continue;
      const acceptor = await Acceptor.bind({
        ...listener,
        limits: listener.connections,
        isProxy: name === 'data' ? isProxy : () => false,
        handOver: (accepted) => this.#handOver(name, accepted),
      });
      this.#acceptors.set(name, acceptor);
    }
  }

  /** The worker with the fewest connections gets the next one; connections to the admin listener go to the lead. */
  #handOver(listener: ListenerName, accepted: Accepted): number | 'later' | undefined {
    const [first, ...others] =
      listener === 'admin' ? [this.#lead] : this.#serving.filter(({ isOpen }) => isOpen);
    if (first === undefined) return 'later';
    const held = (process: WorkerProcess) => this.#places.heldBy(process, listener);
    const chosen = others.reduce<WorkerProcess>(
      (least, other) => (other !== undefined && held(other) < held(least) ? other : least),
      first,
    );
    const refused = this.#places.take(chosen, listener, accepted.claims);
    if (refused === undefined) chosen.connect(listener, accepted);
    return refused;
  }

  #resumeAccepting(): void {
    for (const acceptor of this.#acceptors.values()) acceptor.resume();
  }

  #makeSlot(isLead: boolean): Slot {
    const slot: Slot = { isLead, current: this.#makeProcess(isLead), failures: 0 };
    this.#slots.add(slot);
    void this.#keep(slot);
    return slot;
  }

  #makeProcess(isLead: boolean): WorkerProcess {
    this.#lastNumber += 1;
    const place = {
      number: this.#lastNumber,
      isLead,
      port: this.#acceptors.get('data')?.port ?? 0,
      adminPort: isLead ? this.#acceptors.get('admin')?.port : undefined,
    };
    const made = new WorkerProcess(this.#options.fork(), place, (worker) => this.#handlersFor(worker));
    this.#processes.add(made);
    void made.exited.then(async () => {
      made.servingSinceMs = undefined;
      this.#processes.delete(made);
      this.#places.forget(made);
      if (this.#lead === made) this.#silence();
      await this.#metrics.end(made);
    });
    void made.serving.then(
      () => {
        // A successor takes over as lead only when its predecessor is told to leave.
        if (isLead) this.#lead ??= made;
        this.#resumeAccepting();
        void this.#watch(made);
      },
      () => {},
    );
    if (this.#stopped.signal.aborted) made.leave(false);
    return made;
  }

  /**
   * Ends a worker that shows no sign of life any more, such as one that was stopped, so that another one takes its place.
   * Signs are counted, not timed, since this process may have been stopped as well.
   */
  async #watch(worker: WorkerProcess): Promise<void> {
    let missed = 0;
    while (worker.isOpen) {
      const answer = await worker.ask('life', LIFE_INTERVAL_MS);
      missed = answer === undefined ? missed + 1 : 0;
      if (missed === MISSED_SIGNS && worker.isOpen) {
        this.#options.logger.error(
          { worker: worker.place.number },
          'a worker shows no sign of life and is ended',
        );
        worker.kill();
        return;
      }
      await delay(LIFE_INTERVAL_MS, undefined, { ref: false });
    }
  }

  /** Refills a slot whenever its worker ends by itself, more slowly the more often that happens. */
  async #keep(slot: Slot): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted && this.#slots.has(slot)) {
      const { current } = slot;
      const madeAtMs = performance.now();
      const isSteady = await current.serving.then(
        async () => {
          await current.exited;
          return performance.now() - madeAtMs >= STEADY_MS;
        },
        () => false,
      );
      if (signal.aborted || !this.#slots.has(slot)) return;
      if (slot.current !== current) continue;
      const { logger } = this.#options;
      const pauseMs = pauseAfter(isSteady ? 0 : slot.failures);
      slot.failures = isSteady ? 1 : slot.failures + 1;
      logger.error(
        { worker: current.place.number, pauseMs },
        'a worker has ended, another one takes its place',
      );
      this.#metrics.countRestart();
      await delay(pauseMs, undefined, { signal }).catch(() => {});
      if (signal.aborted || !this.#slots.has(slot)) return;
      // A reload may have filled it in the meantime.
      if (slot.current === current) slot.current = this.#makeProcess(slot.isLead);
    }
  }

  /** Replaces the workers of the slots that stay. @returns whether all were replaced */
  async #renewAll(count: number): Promise<boolean> {
    const { logger } = this.#options;
    for (const slot of [...this.#slots].slice(0, count)) {
      if (this.#stopped.signal.aborted) return false;
      const successor = this.#makeProcess(slot.isLead);
      try {
        await successor.serving;
      } catch (error) {
        logger.error({ err: error }, `the workers are not replaced: ${errorMessage(error)}`);
        return false;
      }
      const predecessor = slot.current;
      slot.current = successor;
      slot.failures = 0;
      if (slot.isLead) {
        this.#silence();
        this.#lead = successor;
        this.#resumeAccepting();
      }
      predecessor.leave(true);
      await predecessor.exited;
      logger.info(
        { worker: successor.place.number, replaces: predecessor.place.number },
        'a worker was replaced',
      );
    }
    return true;
  }

  /** Adds workers, or drains the newest ones. */
  async #resize(count: number): Promise<void> {
    const { logger } = this.#options;
    const before = this.#slots.size;
    if (before === count || this.#stopped.signal.aborted) return;
    const added = Array.from({ length: Math.max(count - before, 0) }, () => this.#makeSlot(false));
    const dropped = [...this.#slots].slice(count);
    for (const slot of dropped) {
      this.#slots.delete(slot);
      slot.current.leave(false);
    }
    // A worker that does not start is retried, like one that ends.
    await Promise.allSettled(added.map(({ current }) => current.serving));
    await Promise.all(dropped.map(({ current }) => current.exited));
    logger.info({ workers: count, before }, 'the number of workers has changed');
  }

  /** There is no lead now, and no news of logs. */
  #silence(): void {
    this.#lead = undefined;
    for (const process of this.#processes) process.silence();
  }

  #handlersFor(worker: WorkerProcess): WorkerHandlers {
    return {
      hello: ({ version }) => {
        if (version !== MESSAGE_VERSION) this.#refuse(worker);
        return worker.begin();
      },
      lease: ({ requests }) => this.#rates.lease(requests),
      points: ({ leases }) => this.#rates.giveBack(leases),
      take: ({ claims }) => this.#places.take(worker, 'websocket', claims),
      places: ({ place, claims }) => this.#places.giveBack(worker, place, claims),
      report: ({ report }) => this.#metrics.take(worker, report),
      metrics: () => this.#collectMetrics(),
      readiness: ({ timeoutMs }) => this.#survey('readiness', timeoutMs),
      dials: ({ timeoutMs }) => this.#survey('dials', timeoutMs),
      life: ({ timeoutMs }) => this.#survey('life', timeoutMs),
      news: ({ news }) => {
        if (worker !== this.#lead) return;
        for (const process of this.#processes) if (process !== worker) process.tell(news);
      },
      use: ({ tokenId }) => this.#lead?.noteUse(tokenId),
    };
  }

  /** A release with a different message version needs its own supervisor. */
  #refuse(from: WorkerProcess): void {
    this.#options.logger.error(
      { worker: from.place.number },
      'the new release cannot take over from the one that runs: stop the gateway, and start it again',
    );
    from.kill();
  }

  async #collectMetrics(): Promise<string> {
    const asked = [...this.#processes].filter(({ servingSinceMs }) => servingSinceMs !== undefined);
    await Promise.all(asked.map((process) => process.report(REPORT_TIMEOUT_MS)));
    return this.#metrics.text();
  }

  /** Asks the worker of each slot. */
  #survey<What extends keyof Surveyed>(
    what: What,
    timeoutMs: number,
  ): Promise<readonly Reported<Surveyed[What]>[]> {
    return Promise.all(
      [...this.#slots].map(async ({ current }) => {
        const isServing = current.servingSinceMs !== undefined;
        const told = isServing ? await current.ask(what, timeoutMs) : undefined;
        return { worker: current.place.number, isServing, told };
      }),
    );
  }
}

/** No pause after the first end, then twice as long each time. */
const pauseAfter = (failures: number): number =>
  failures === 0 ? 0 : Math.min(MIN_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS);
