import { declaredErrors, type Resource } from 'rostack-core';
import type { CheckContext } from '../../../check/check-context.ts';
import type { Driver, DriverOperation } from '../../../check/driver.ts';
import { type SeenMessage, text } from '../../../probe/ws/seen-message.ts';
import { WsProbe, type WsProbeOptions } from '../../../probe/ws/ws-probe.ts';

/** For a required answer: longer than any target needs, so that a slow one is not called wrong. */
export const ANSWER_MS = 15_000;
const MAX_WAITS = 5;
const MAX_WAIT_MS = 30_000;
const PASSING: readonly unknown[] = ['rate_limited', 'service_unavailable'];

/** How a check's connection differs from an ordinary one. */
export type ConnectionOptions = Partial<
  Pick<WsProbeOptions, 'protocols' | 'headers' | 'compression' | 'proxyPort' | 'url' | 'version'>
>;

/** Members of a `subscribe` message without its type. */
export interface Subscribing {
  readonly subscription_id: string;
  readonly resource: string;
  readonly [member: string]: unknown;
}

/** A check cannot continue, because the target did not do something that it depends on. */
export class Blocked extends Error {
  override readonly name = 'Blocked';
  /** The requirement that this breaks; undefined if it breaks none. */
  readonly id: string | undefined;
  readonly expected: string;
  readonly got: string;
  readonly probe: WsProbe | undefined;

  constructor(id: string | undefined, expected: string, got: string, probe?: WsProbe) {
    super(`${expected} ${got}`);
    this.id = id;
    this.expected = expected;
    this.got = got;
    this.probe = probe;
  }
}

/** What checks of the gateway use: connections that judge everything they receive and are closed at the end. */
export class GatewayTrial implements AsyncDisposable {
  readonly context: CheckContext;
  readonly #probes: WsProbe[] = [];
  readonly #kept = new Set<string>();
  readonly #issued: string[] = [];
  #lastPing = 0;

  constructor(context: CheckContext) {
    this.context = context;
  }

  /** Requirements that were kept at least once. */
  get kept(): ReadonlySet<string> {
    return this.#kept;
  }

  /** The resources that have events, those with filtered events first. */
  get followed(): readonly Resource[] {
    const followed = this.context.discovery.resources.filter(({ events }) => events.length > 0);
    return followed.toSorted(
      (a, b) => Number(b.event_filtering ?? false) - Number(a.event_filtering ?? false),
    );
  }

  /** The resource that most checks follow. @throws Blocked when none has events */
  get resource(): Resource {
    const [first] = this.followed;
    if (first === undefined) throw new Blocked(undefined, 'A resource has events.', 'None has.');
    return first;
  }

  /** The URL of the gateway. */
  get url(): URL {
    return this.context.http.reachable(this.context.discovery.endpoints.websocket);
  }

  /** The driver, which supports these operations. @throws Blocked if there is none that does */
  driver(...operations: readonly DriverOperation[]): Driver {
    const { driver } = this.context;
    const missing = operations.find((operation) => driver?.operations.has(operation) !== true);
    if (driver !== undefined && missing === undefined) return driver;
    throw new Blocked(
      undefined,
      'A driver has what is needed.',
      `There is none for ${missing ?? 'anything'}.`,
    );
  }

  /** Connects; the upgrade may have been refused. */
  async open(options: ConnectionOptions = {}): Promise<WsProbe> {
    const { discovery, release, http, tokens, clock, signal } = this.context;
    const declared = 'errors' in discovery ? declaredErrors(discovery).websocket : undefined;
    const probe = await WsProbe.open({
      url: this.url,
      ca: http.ca,
      release,
      declaredCodes: declared && new Set(declared.map(({ code }) => code)),
      secrets: [...tokens.secrets, ...this.#issued],
      clock,
      signal,
      onJudged: (id, broken, from) => {
        if (broken === undefined) this.#kept.add(id);
        else
          this.fail(id, 'What the gateway sends keeps the schemas and rules of the release.', broken, from);
      },
      ...options,
    });
    this.#probes.push(probe);
    return probe;
  }

  /** Connects and upgrades. @throws Blocked */
  async connect(options: ConnectionOptions = {}): Promise<WsProbe> {
    const probe = await this.open(options);
    if (probe.isOpen) return probe;
    const got = `It was answered with ${probe.refusal?.status ?? 'nothing'}.`;
    throw new Blocked('ws.subprotocol', 'The gateway upgrades a connection for rostack.v1.', got, probe);
  }

  /** Sends a credential and waits for the answer; retries if the target asks it to wait. @returns undefined if there is no answer */
  async authenticate(
    probe: WsProbe,
    token: string,
    method: string = this.context.tokens.method,
  ): Promise<SeenMessage | undefined> {
    return this.#answered(probe, async () => {
      const from = probe.messages.length;
      probe.send({ type: 'authenticate', method, token });
      return probe.next(['authenticated', 'error'], from, ANSWER_MS);
    });
  }

  /** Connects and authenticates. @throws Blocked */
  async session(token = this.context.tokens.main, options: ConnectionOptions = {}): Promise<WsProbe> {
    const probe = await this.connect(options);
    const answer = await this.authenticate(probe, token);
    if (answer?.type === 'authenticated') return probe;
    const got = saidInstead(answer, probe);
    throw new Blocked(
      'ws.message.authenticated',
      'A right token is answered with authenticated.',
      got,
      probe,
    );
  }

  /** Subscribes and waits for the answer; retries if the target asks it to wait. @returns undefined if there is no answer */
  async subscribe(probe: WsProbe, members: Subscribing): Promise<SeenMessage | undefined> {
    return this.#answered(probe, async () => {
      const from = probe.messages.length;
      probe.send({ type: 'subscribe', ...members });
      return probe.until(
        () => probe.messages.find((message) => message.index >= from && isAnswer(message, members)),
        ANSWER_MS,
      );
    });
  }

  /** Asks again after the wait that the target requests, while the connection is open. */
  async #answered(
    probe: WsProbe,
    ask: () => Promise<SeenMessage | undefined>,
  ): Promise<SeenMessage | undefined> {
    const { clock, signal } = this.context;
    for (let waits = 0; ; waits += 1) {
      const answer = await ask();
      const waitMs = answer?.members.retry_after_ms;
      const passes = PASSING.includes(answer?.members.code) && typeof waitMs === 'number';
      if (!passes || !probe.isOpen || waits >= MAX_WAITS) return answer;
      await clock.wait(Math.min(waitMs, MAX_WAIT_MS), signal);
    }
  }

  /** Subscribes; the answer is `subscribed`. @throws Blocked */
  async subscribed(probe: WsProbe, members: Subscribing): Promise<SeenMessage> {
    const answer = await this.subscribe(probe, members);
    if (answer?.type === 'subscribed') return answer;
    const expected = 'A subscription that the discovery document allows is answered with subscribed.';
    const isDenied = answer?.members.code === 'permission_denied';
    throw new Blocked(
      isDenied ? undefined : 'ws.message.subscribed',
      expected,
      saidInstead(answer, probe),
      probe,
    );
  }

  /** Sends a ping. @returns true if its pong has come, and with it everything that was sent before */
  async ping(probe: WsProbe): Promise<boolean> {
    this.#lastPing += 1;
    const id = `kit-${this.#lastPing}`;
    probe.send({ type: 'ping', id });
    const pong = await probe.until(
      () => probe.messages.find(({ type, members }) => type === 'pong' && members.id === id),
      ANSWER_MS,
    );
    return pong !== undefined;
  }

  /** Keeps a credential that was made during the run out of reports. */
  hide(token: string): void {
    this.#issued.push(token);
  }

  /** Notes that a requirement was kept. */
  keep(id: string): void {
    this.#kept.add(id);
  }

  judge(id: string, isKept: boolean, expected: string, got: string, probe?: WsProbe): void {
    if (isKept) this.#kept.add(id);
    else this.fail(id, expected, got, probe);
  }

  fail(id: string, expected: string, got: string, probe?: WsProbe): void {
    this.context.findings.fail(id, { expected, got, exchange: probe?.exchange });
  }

  /** For what the protocol leaves open: a decision other than ours is noted but breaks nothing. */
  decide(id: string, isOurs: boolean, instead: string): void {
    if (isOurs) this.#kept.add(id);
    else this.context.findings.note(id, instead);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#probes.map((probe) => probe.close()));
  }
}

const isAnswer = ({ type, members }: SeenMessage, { subscription_id: id }: Subscribing): boolean =>
  (type === 'subscribed' && members.subscription_id === id) ||
  (type === 'error' && (members.subscription_id === id || members.subscription_id === undefined));

/** What the target said or did instead of what was expected: a sentence. */
export function saidInstead(answer: SeenMessage | undefined, probe: WsProbe): string {
  if (answer?.type === 'error') return `It answered with the error ${text(answer.members.code)}.`;
  if (answer !== undefined) return `It answered with ${answer.type}.`;
  if (probe.closed !== undefined) return `It closed the connection with ${probe.closed.code}.`;
  return `It did not answer within ${ANSWER_MS} ms.`;
}
