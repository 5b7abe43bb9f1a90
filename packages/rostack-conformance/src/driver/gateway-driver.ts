import { type JsonObject, parseStrictJson, recordIdText } from 'rostack-core';
import { systemClock } from '../base/clock.ts';
import { KitError } from '../base/kit-error.ts';
import type { DriverChange } from '../check/driver.ts';
import type { DatabaseCopy } from './database-copy.ts';
import type { GatewayProgram, Served } from './gateway-program.ts';
import type { DriverHandlers, DriverRequest } from './serve-driver.ts';

/** What a driver of a gateway needs. */
export interface GatewayDriverOptions {
  readonly program: GatewayProgram;
  /** URL of the admin listener, such as `http://127.0.0.1:8444`. */
  readonly adminUrl: string;
  readonly adminToken: string;
  /** The principal of the main token, as `token create` names it. */
  readonly principal: string;
  /** What the main token may do. */
  readonly grants: readonly string[];
  /** How the database is copied and restored; undefined if that is not possible. The driver disposes of it. */
  readonly copy: DatabaseCopy | undefined;
}

/** Settings of a gateway on free ports that keeps one change and drops older ones every second. */
const FORGETFUL = {
  ROSTACK__LISTENERS__DATA__PORT: '0',
  ROSTACK__LISTENERS__ADMIN__PORT: '0',
  ROSTACK__METRICS__ENABLED: 'true',
  ROSTACK__RETENTION__MAX_CHANGES: '1',
  ROSTACK__RETENTION__INTERVAL: '1s',
};
const PRUNED_WITHIN_MS = 30_000;
const PAUSE_MS = 100;
const POSITION = /^rostack_log_(head|floor)_position\{resource="([^"]*)"\} (\d+)$/gm;

/** Drives `rostack-gateway` through its admin listener, its commands and its process. */
export class GatewayDriver implements AsyncDisposable {
  readonly #options: GatewayDriverOptions;
  #served: Served;
  #isDraining = false;

  private constructor(options: GatewayDriverOptions, served: Served) {
    this.#options = options;
    this.#served = served;
  }

  /** Starts the gateway. */
  static async start(options: GatewayDriverOptions): Promise<GatewayDriver> {
    return new GatewayDriver(options, await options.program.start());
  }

  /** What to do for each operation of a driver. */
  get handlers(): DriverHandlers {
    const { copy } = this.#options;
    return {
      put: ({ resource, record }) => this.#put(String(resource), record as JsonObject),
      delete: ({ resource, id }) => this.#delete(String(resource), String(id)),
      burst: ({ resource, changes }) => this.#burst(String(resource), changes as readonly DriverChange[]),
      issue: (request) => this.#issue(request),
      revoke: ({ token }) => this.#revoke(String(token)),
      drain: () => this.#drain(),
      restart: () => this.#restart(),
      prune: () => this.#prune(),
      ...(copy && {
        save: () => this.#whileStopped(copy.save),
        restore: () => this.#whileStopped(copy.restore),
      }),
    };
  }

  async close(): Promise<void> {
    await this.#options.program.close();
    await this.#options.copy?.[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #put(resource: string, record: JsonObject): Promise<undefined> {
    const id = recordIdText(record['id']) ?? '';
    await this.#admin('PUT', `${resource}/${encodeURIComponent(id)}`, JSON.stringify(record));
  }

  async #delete(resource: string, id: string): Promise<undefined> {
    await this.#admin('DELETE', `${resource}/${encodeURIComponent(id)}`);
  }

  async #burst(resource: string, changes: readonly DriverChange[]): Promise<undefined> {
    if (changes.some(({ op }) => op === 'delete')) {
      // Deletions have ids as texts here, even if the ids of records are integers, so they are sent one by one.
      for (const change of changes) {
        await (change.op === 'put' ? this.#put(resource, change.record) : this.#delete(resource, change.id));
      }
      return;
    }
    const lines = changes.map((change) => JSON.stringify(change)).join('\n');
    const answer = await this.#admin('POST', `${resource}/changes`, lines, 'application/x-ndjson');
    const last = parseStrictJson(answer.trimEnd().split('\n').at(-1) ?? '{}') as JsonObject;
    if (last['done'] !== true || last['refused'] !== 0) {
      throw new KitError('driver_failed', `a burst was refused: ${answer.slice(0, 500)}`);
    }
  }

  async #issue({ expires_in_ms: lifeMs, permissions }: DriverRequest): Promise<JsonObject> {
    const { program, principal, grants } = this.#options;
    const wanted = Array.isArray(permissions) ? permissions.map(String) : grants;
    const granted = wanted.length === 0 ? ['--no-grants'] : ['--grant', ...wanted];
    const life = typeof lifeMs === 'number' ? ['--expires', `${lifeMs}ms`] : [];
    const token = await program.run(['token', 'create', '--principal', principal, ...granted, ...life]);
    return { token };
  }

  /** The id of a token is its second part. */
  async #revoke(token: string): Promise<undefined> {
    await this.#options.program.run(['token', 'revoke', token.split('_')[1] ?? '']);
  }

  async #drain(): Promise<undefined> {
    this.#isDraining = true;
    this.#options.program.drain();
  }

  async #restart(): Promise<undefined> {
    await this.#whileStopped(() => Promise.resolve());
  }

  async #whileStopped(work: () => Promise<void>): Promise<undefined> {
    const { program } = this.#options;
    await program.stop(this.#isDraining);
    this.#isDraining = false;
    await work();
    this.#served = await program.start();
  }

  /** Drops the history with a second gateway over the same database, while the first one serves it. */
  async #prune(): Promise<undefined> {
    await using other = this.#options.program.another();
    const { adminPort } = await other.start({ ...FORGETFUL, ROSTACK__PUBLIC_URL: this.#served.url });
    const metricsUrl = new URL('/metrics', this.#options.adminUrl);
    metricsUrl.port = String(adminPort);
    const { signal } = new AbortController();
    for (const untilMs = systemClock.nowMs() + PRUNED_WITHIN_MS; ; await systemClock.wait(PAUSE_MS, signal)) {
      if (arePruned(await this.#ask(metricsUrl))) return;
      if (systemClock.nowMs() > untilMs) throw new KitError('driver_failed', 'the history is not dropped');
    }
  }

  #admin(method: string, path: string, body?: string, type = 'application/json'): Promise<string> {
    return this.#ask(new URL(`/resources/${path}`, this.#options.adminUrl), {
      method,
      ...(body !== undefined && { headers: { 'Content-Type': type }, body }),
    });
  }

  async #ask(url: URL, request: RequestInit = {}): Promise<string> {
    const headers = new Headers(request.headers);
    headers.set('Authorization', `Bearer ${this.#options.adminToken}`);
    const response = await fetch(url, { ...request, headers });
    const answer = await response.text();
    if (response.ok) return answer;
    throw new KitError(
      'driver_failed',
      `${request.method ?? 'GET'} ${url.pathname} was answered with ${answer}`,
    );
  }
}

/** Whether the metrics of a gateway say that only the last change of each resource is kept. */
function arePruned(metrics: string): boolean {
  const positions = { head: new Map<string, number>(), floor: new Map<string, number>() };
  for (const [, which, resource = '', position] of metrics.matchAll(POSITION)) {
    positions[which === 'head' ? 'head' : 'floor'].set(resource, Number(position));
  }
  const { head, floor } = positions;
  return head.size > 0 && [...head].every(([resource, at]) => at - (floor.get(resource) ?? 0) <= 1);
}
