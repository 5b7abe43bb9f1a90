import { join } from 'node:path';
import { type JsonObject, jsonEquals, type ReceivedMessage, SUBPROTOCOL } from 'rostack-core';
import type { Findings } from '../../check/findings.ts';
import type { Activity } from './activity.ts';
import { Adapter, type AdapterSetup } from './adapter.ts';
import type { ScriptedConnection } from './scripted-connection.ts';
import { unescaped } from './scripted-http.ts';
import { RESOURCE } from './scripted-implementation.ts';
import type { ScriptedServer } from './scripted-server.ts';

/** A client's first subscription takes this many times the patience: its process has to start as well. */
const START_PATIENCES = 2;

/** Thrown when a requirement is broken in a way that leaves nothing for the rest of the check. */
export class SceneOver extends Error {
  override readonly name = 'SceneOver';
  readonly code = 'scene_over';
  readonly retryable = false;
}

/** What a scene is made of. */
export interface SceneSetup {
  readonly server: ScriptedServer;
  readonly adapter: AdapterSetup;
  /** A folder for this scene alone. */
  readonly folder: string;
  readonly activity: Activity;
  readonly findings: Findings;
  /** Ids that the check may judge. */
  readonly requirements: readonly string[];
  /** How long the client may take for anything that it has to do, in milliseconds. */
  readonly patienceMs: number;
}

/** One scripted server, one client, and the findings about it. */
export class Scene implements AsyncDisposable {
  readonly server: ScriptedServer;
  readonly #setup: SceneSetup;
  readonly #adapters: Adapter[] = [];

  constructor(setup: SceneSetup) {
    this.#setup = setup;
    this.server = setup.server;
  }

  /** The current adapter process. */
  get adapter(): Adapter {
    const adapter = this.#adapters.at(-1);
    if (adapter === undefined) throw new SceneOver('no adapter was started');
    return adapter;
  }

  /** Every change that any process of the scene has reported. */
  get changes(): Adapter['changes'] {
    return this.#adapters.flatMap(({ changes }) => changes);
  }

  /** Starts the client; the previous one must have ended. */
  start({ filter }: { readonly filter?: JsonObject } = {}): Adapter {
    const { adapter, folder } = this.#setup;
    const { url, token } = this.server;
    const state = join(folder, 'state');
    const started = new Adapter(adapter, { url, token, resource: RESOURCE, state, filter });
    this.#adapters.push(started);
    return started;
  }

  /** Starts the client and waits until it is subscribed and shows every record. If it fails to get there, the whole check fails. */
  async established(): Promise<ScriptedConnection> {
    this.start();
    const { requirements } = this.#setup;
    const want = 'the client reads discovery and the list, authenticates, subscribes and shows the records';
    const withinMs = START_PATIENCES * this.#setup.patienceMs;
    const connection = await this.seen(requirements, want, () => this.subscribed(), withinMs);
    await this.converged(requirements);
    return connection;
  }

  /** The newest open connection, once something is subscribed on it. */
  subscribed(after?: ScriptedConnection): ScriptedConnection | undefined {
    const { connection } = this.server;
    if (connection === undefined || connection === after) return undefined;
    return connection.subscriptions.size > 0 ? connection : undefined;
  }

  /** True when the client shows what the server has; undefined until then. */
  isConverged(filter: (record: JsonObject) => boolean = () => true): true | undefined {
    const { records } = this.adapter;
    const wanted = [...this.server.log.records].filter(([, record]) => filter(record));
    return records !== undefined && jsonEquals(records, Object.fromEntries(wanted)) ? true : undefined;
  }

  /** Waits until the client shows what the server has. @throws SceneOver */
  async converged(ids: readonly string[], filter?: (record: JsonObject) => boolean): Promise<void> {
    await this.seen(ids, WHOLE_SET, () => this.isConverged(filter));
  }

  /** Waits for something that the client has to do, and passes or fails the requirements accordingly. @throws SceneOver */
  async expect<T>(
    ids: readonly string[],
    expected: string,
    find: () => T | undefined,
    withinMs?: number,
  ): Promise<T> {
    const found = await this.seen(ids, expected, find, withinMs);
    for (const id of ids) this.#setup.findings.pass(id);
    return found;
  }

  /** Like `expect`, but passes nothing: the verdict comes later. @throws SceneOver */
  async seen<T>(
    ids: readonly string[],
    expected: string,
    find: () => T | undefined,
    withinMs?: number,
  ): Promise<T> {
    const { adapter } = this;
    const isOver = (): boolean => adapter.fault !== undefined || adapter.hasEnded;
    await this.#setup.activity.until(
      () => (isOver() || find() !== undefined ? true : undefined),
      withinMs ?? this.#setup.patienceMs,
    );
    if (adapter.fault !== undefined) throw adapter.fault;
    const found = find();
    if (found !== undefined) return found;
    for (const id of ids)
      this.fail(id, expected, adapter.hasEnded ? 'the adapter has ended' : 'it did not, in time');
    throw new SceneOver(expected);
  }

  /** Waits while something must not happen; ends early if it does. */
  async quiet(forMs: number, broken: () => boolean = () => false): Promise<void> {
    await this.#setup.activity.until(() => (broken() ? true : undefined), forMs);
  }

  /** Passes or fails the requirement. */
  judge(id: string, isKept: boolean, expected: string, got: string): void {
    if (isKept) this.#setup.findings.pass(id);
    else this.fail(id, expected, got);
  }

  /** Fails the requirement and adds what happened last. */
  fail(id: string, expected: string, got: string): void {
    const { findings } = this.#setup;
    const said = this.#adapters.at(-1)?.output.replaceAll(this.server.token, '[token]').split('\n') ?? [];
    const lines = said.filter((line) => line !== '').slice(-4);
    const heard = lines.map((line) => `the adapter writes ${line.slice(0, 300)}`);
    findings.fail(id, { expected, got: [`${got}.`, ...this.server.story, ...heard].join('\n') });
  }

  /** Judges what every scene shows besides its own subject: whether each message and request follows the protocol. */
  judgeWire(): void {
    const faults = this.#wireFaults();
    for (const [id, got] of faults) this.fail(id, WIRE[id], got);
    const broken = new Set<string>(faults.map(([id]) => id));
    const seen = new Set(
      this.server.connections.flatMap(({ heard }) => heard.map(({ message }) => message?.type)),
    );
    for (const id of WIRE_IDS) {
      const isSeen = id.startsWith('ws.message.') ? seen.has(typeOf(id)) : seen.size > 0;
      if (isSeen && !broken.has(id)) this.#setup.findings.pass(id);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#adapters.map((adapter) => adapter.kill()));
  }

  #wireFaults(): readonly (readonly [WireId, string])[] {
    const { connections, requests, token } = this.server;
    const faults: [WireId, string][] = [];
    for (const { heard, upgrade } of connections) {
      if (!upgrade.offered.includes(SUBPROTOCOL))
        faults.push(['ws.subprotocol', `it offered ${upgrade.offered.join(', ') || 'none'}`]);
      const first = heard.find(({ message }) => message !== undefined)?.message;
      if (first !== undefined && first.type !== 'authenticate') {
        faults.push(['ws.auth.first', `the first message is ${first.type}`]);
      }
      for (const { text, fault } of heard) {
        if (fault !== undefined) faults.push([idOfMessage(text), `it sent ${text.slice(0, 200)}: ${fault}`]);
      }
    }
    for (const { url, headers, method } of requests) {
      const { cookie = '', 'sec-websocket-protocol': offered = '' } = headers;
      const shown = unescaped(`${url.pathname}${url.search}`);
      const place = shown.includes(token)
        ? 'URL'
        : cookie.includes(token)
          ? 'cookie'
          : offered.includes(token)
            ? 'subprotocol'
            : '';
      if (place !== '')
        faults.push(['auth.client-places', `the ${place} of a request (${method}) contains the token`]);
    }
    if (this.#adapters.some(({ output }) => output.includes(token))) {
      faults.push(['auth.not-in-logs', 'what the adapter wrote contains the token']);
    }
    return faults;
  }
}

/** What is expected of every client, no matter what gets in its way. */
export const WHOLE_SET =
  'the client shows the records that the server has, each once and in its newest state';

/** Judged by every scene. */
const WIRE = {
  'ws.subprotocol': 'the upgrade offers rostack.v1',
  'ws.auth.first': 'authenticate is the first message of a connection',
  'ws.message.authenticate': 'authenticate has method and token and nothing else',
  'ws.message.subscribe': 'subscribe has the members that it may have and nothing else',
  'ws.message.unsubscribe': 'unsubscribe has subscription_id and nothing else',
  'ws.message.ping': 'ping has an id and nothing else',
  'ws.message.pong': 'pong has an id and nothing else',
  'ws.frames': 'each frame of the client is text and contains one JSON message',
  'auth.client-places': 'the credential is in the field Authorization and in authenticate alone',
  'auth.not-in-logs': 'no line that the client writes contains the credential',
} as const;

type WireId = keyof typeof WIRE;

/** Ids that every scene may judge. */
export const WIRE_IDS = Object.keys(WIRE) as readonly WireId[];

const typeOf = (id: string): ReceivedMessage['type'] =>
  id.slice('ws.message.'.length) as ReceivedMessage['type'];

const isWire = (id: string): id is WireId => Object.hasOwn(WIRE, id);

function idOfMessage(text: string): WireId {
  const [, type] = /"type"\s*:\s*"([a-z_]+)"/.exec(text) ?? [];
  const id = `ws.message.${type}`;
  return isWire(id) ? id : 'ws.frames';
}
