import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openStore, type Store } from 'rostack-store';
import { FaultProxy } from 'test-support/fault-proxy';
import { PostgresPrograms } from 'test-support/own-postgres/programs';
import type { Random } from 'test-support/random';
import { ensureDevelopmentCertificate } from '../../../apps/rostack-gateway/src/serving/certificates/development-certificate.ts';
import { storedResources, writeSoakConfig } from '../soak/world/soak-config.ts';
import { Site } from './site.ts';

const LOCAL = '127.0.0.1';
/** How far the standbys are behind, in ms: each by its own. */
const APPLY_DELAYS_MS = [150, 300, 600] as const;

/** A primary and two standbys, each with two gateways, behind one address that leads to any of the gateways. */
export class Sites implements AsyncDisposable {
  readonly all: readonly Site[];
  readonly certificatePem: string;
  /** Where clients connect: each connection leads to another gateway. */
  readonly front: FaultProxy;
  /** Writes at the primary, whichever that is. */
  readonly store: Store;
  readonly #stack: AsyncDisposableStack;
  readonly #primary: { site: Site };
  readonly #writing: FaultProxy;

  private constructor(parts: Parts) {
    this.all = parts.all;
    this.certificatePem = parts.certificatePem;
    this.front = parts.front;
    this.store = parts.store;
    this.#primary = parts.primary;
    this.#writing = parts.writing;
    this.#stack = parts.stack;
  }

  /** @throws Error where the system has no PostgreSQL programs, or nobody to run them as */
  static async start(random: Random): Promise<Sites> {
    await using stack = new AsyncDisposableStack();
    const programs = stack.use(await PostgresPrograms.find());
    const folder = await mkdtemp(join(tmpdir(), 'rostack-replicas-'));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    const { certificatePem } = await ensureDevelopmentCertificate(folder, Date.now());
    const configFile = await writeSoakConfig(folder);
    const all: Site[] = [];
    const front = stack.use(
      await FaultProxy.start(() => {
        const ports = all.flatMap((site) => site.gateways.map(({ port }) => port));
        const first = ports.length === 0 ? 0 : random.int(0, ports.length - 1);
        return [...ports.slice(first), ...ports.slice(0, first)].map((port) => ({ host: LOCAL, port }));
      }),
    );
    const settings = { programs, configFile, baseUrl: `https://${LOCAL}:${front.port}` };
    for (const [index, applyDelayMs] of APPLY_DELAYS_MS.entries()) {
      const upstream = () => primary.site.cluster.port;
      all.push(
        stack.use(await Site.create({ ...settings, name: `site-${index + 1}`, applyDelayMs, upstream })),
      );
    }
    const [first, ...others] = all;
    if (first === undefined) throw new Error('there is no site');
    const primary = { site: first };
    const writing = stack.use(
      await FaultProxy.start(() => [{ host: LOCAL, port: primary.site.cluster.port }]),
    );
    await first.begin();
    const store = stack.use(
      await openStore({
        url: first.cluster.urlOf('postgres', writing.port),
        resources: await storedResources(folder),
        retention: { intervalMs: 0 },
        maxConnections: 3,
        onAlarm: () => {},
      }),
    );
    await first.open('primary');
    for (const site of others) await site.rebuild();
    return new Sites({ all, certificatePem, front, store, primary, writing, stack: stack.move() });
  }

  get baseUrl(): string {
    return `https://${LOCAL}:${this.front.port}`;
  }

  get standbys(): readonly Site[] {
    return this.all.filter((site) => site !== this.#primary.site);
  }

  get primary(): Site {
    return this.#primary.site;
  }

  /** Names the gateway that a client's connection from a local port leads to. */
  gatewayAt(localPort: number): string {
    const port = this.front.links.find(({ clientPort }) => clientPort === localPort)?.serverPort;
    for (const { name, role, gateways } of this.all) {
      const index = gateways.findIndex((gateway) => gateway.port === port);
      if (index >= 0) return `${name} gateway ${index + 1} (${role})`;
    }
    return 'a gateway that has gone';
  }

  /** The primary dies, and a standby takes its place with what it has. */
  async promote(next: Site): Promise<void> {
    this.#writing.refuse(true);
    this.#writing.cut();
    await this.primary.die();
    await next.promote();
    this.#primary.site = next;
    this.#writing.refuse(false);
  }

  /** Makes every other site a standby of the primary, from a fresh copy; their gateways go on. */
  async rebuildStandbys(): Promise<void> {
    for (const site of this.standbys) await site.rebuild();
  }

  /** Waits until the standbys have all that the primary has. */
  async catchUp(): Promise<void> {
    const lsn = await this.primary.ask('select pg_current_wal_lsn()::text as value');
    for (const site of this.standbys) {
      const isThere = `select (pg_last_wal_replay_lsn() >= '${lsn}')::text as value`;
      while ((await site.ask(isThere)) !== 'true') await wait(20);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack[Symbol.asyncDispose]();
  }
}

interface Parts {
  readonly all: readonly Site[];
  readonly certificatePem: string;
  readonly front: FaultProxy;
  readonly store: Store;
  readonly primary: { site: Site };
  readonly writing: FaultProxy;
  readonly stack: AsyncDisposableStack;
}
