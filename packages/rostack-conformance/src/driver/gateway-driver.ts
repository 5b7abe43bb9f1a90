import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JsonObject, recordIdText } from 'rostack-core';
import type { DriverChange } from '../check/driver.ts';
import { KitError } from '../error/kit-error.ts';
import type { GatewayProgram } from './gateway-program.ts';
import type { DriverHandlers, DriverRequest } from './serve-driver.ts';

/** What drives a gateway. */
export interface GatewayDriverOptions {
  readonly program: GatewayProgram;
  /** Of the admin listener, such as `http://127.0.0.1:8444`. */
  readonly adminUrl: string;
  readonly adminToken: string;
  /** The principal of the main token, as `token create` names it. */
  readonly principal: string;
  /** What the main token may do. */
  readonly grants: readonly string[];
  /** Whether records are in SQLite, which can be put back while the driver runs. */
  readonly isSqlite: boolean;
}

/** Keeps one change, and looks each second: whatever is older is dropped. */
const FORGETFUL = { ROSTACK__RETENTION__MAX_CHANGES: '1', ROSTACK__RETENTION__INTERVAL: '1s' };

/** Drives `rostack-gateway` by its admin listener, its commands and its process. */
export class GatewayDriver implements AsyncDisposable {
  readonly #options: GatewayDriverOptions;
  #isDraining = false;
  #saved: string | undefined;

  private constructor(options: GatewayDriverOptions) {
    this.#options = options;
  }

  /** Starts the gateway. */
  static async start(options: GatewayDriverOptions): Promise<GatewayDriver> {
    await options.program.start();
    return new GatewayDriver(options);
  }

  /** What it does for each operation of a driver. */
  get handlers(): DriverHandlers {
    const { isSqlite } = this.#options;
    return {
      put: ({ resource, record }) => this.#put(String(resource), record as JsonObject),
      delete: ({ resource, id }) => this.#delete(String(resource), String(id)),
      burst: ({ resource, changes }) => this.#burst(String(resource), changes as readonly DriverChange[]),
      issue: (request) => this.#issue(request),
      revoke: ({ token }) => this.#revoke(String(token)),
      drain: () => this.#drain(),
      restart: () => this.#restart(),
      prune: () => this.#restart(FORGETFUL),
      ...(isSqlite && { save: () => this.#save(), restore: () => this.#restore() }),
    };
  }

  async close(): Promise<void> {
    await this.#options.program.close();
    if (this.#saved !== undefined) await rm(this.#saved, { recursive: true, force: true });
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
      // The ids of deletions are texts here, also where those of records are integers.
      for (const change of changes) {
        await (change.op === 'put' ? this.#put(resource, change.record) : this.#delete(resource, change.id));
      }
      return;
    }
    const lines = changes.map((change) => JSON.stringify(change)).join('\n');
    const answer = await this.#admin('POST', `${resource}/changes`, lines, 'application/x-ndjson');
    const last = JSON.parse(answer.trimEnd().split('\n').at(-1) ?? '{}') as JsonObject;
    if (last['done'] !== true || last['refused'] !== 0) {
      throw new KitError('driver_failed', `a burst was refused: ${answer.slice(0, 500)}`);
    }
  }

  async #issue({ expires_in_ms: lifeMs, permissions }: DriverRequest): Promise<JsonObject> {
    const { program, principal, grants } = this.#options;
    const wanted = Array.isArray(permissions) ? permissions.map(String) : grants;
    const life = typeof lifeMs === 'number' ? ['--expires', `${lifeMs}ms`] : [];
    const token = await program.run([
      'token',
      'create',
      '--principal',
      principal,
      '--grant',
      ...wanted,
      ...life,
    ]);
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

  async #restart(environment?: Readonly<Record<string, string>>): Promise<undefined> {
    await this.#options.program.stop(this.#isDraining);
    this.#isDraining = false;
    await this.#options.program.start(environment);
  }

  async #save(): Promise<undefined> {
    if (this.#saved !== undefined) await rm(this.#saved, { recursive: true, force: true });
    this.#saved = await mkdtemp(join(tmpdir(), 'rostack-conformance-'));
    await this.#options.program.run(['backup', join(this.#saved, 'saved.sqlite')]);
  }

  async #restore(): Promise<undefined> {
    const { program } = this.#options;
    if (this.#saved === undefined) throw new KitError('driver_failed', 'nothing was saved');
    await program.stop(false);
    await program.run(['restore', '--move-aside', join(this.#saved, 'saved.sqlite')]);
    await program.start();
  }

  async #admin(method: string, path: string, body?: string, type = 'application/json'): Promise<string> {
    const { adminUrl, adminToken } = this.#options;
    const response = await fetch(new URL(`/resources/${path}`, adminUrl), {
      method,
      headers: { Authorization: `Bearer ${adminToken}`, ...(body !== undefined && { 'Content-Type': type }) },
      ...(body !== undefined && { body }),
    });
    const answer = await response.text();
    if (!response.ok) throw new KitError('driver_failed', `${method} ${path} was answered with ${answer}`);
    return answer;
  }
}
