import type { Gateway } from 'rostack-gateway';
import { createGateway, loadConfig } from 'rostack-gateway';
import { FaultProxy } from 'test-support/fault-proxy';
import { PostgresCluster } from 'test-support/own-postgres/cluster';
import type { PostgresPrograms } from 'test-support/own-postgres/programs';
import { patiently } from '../soak/world/log-keeper.ts';

export interface SiteOptions {
  readonly name: string;
  readonly programs: PostgresPrograms;
  readonly configFile: string;
  /** Where clients find the gateways. */
  readonly baseUrl: string;
  /** How far its server is behind while it is a standby. */
  readonly applyDelayMs: number;
  /** Port of the server that it follows as a standby. */
  readonly upstream: () => number;
}

const GATEWAYS = 2;
const HOST = '127.0.0.1';

/** A PostgreSQL server with its gateways. The server may be replaced under them: they know it by an address that stays. */
export class Site implements AsyncDisposable {
  readonly name: string;
  readonly cluster: PostgresCluster;
  gateways: readonly Gateway[] = [];
  role: 'primary' | 'replica' = 'replica';
  /** What the gateways have logged. */
  readonly lines: string[] = [];
  readonly #options: SiteOptions;
  readonly #service: FaultProxy;
  readonly #replication: FaultProxy;

  private constructor(
    options: SiteOptions,
    cluster: PostgresCluster,
    service: FaultProxy,
    replication: FaultProxy,
  ) {
    this.name = options.name;
    this.cluster = cluster;
    this.#options = options;
    this.#service = service;
    this.#replication = replication;
  }

  static async create(options: SiteOptions): Promise<Site> {
    const settings = [`recovery_min_apply_delay=${options.applyDelayMs}ms`, 'shared_buffers=16MB'];
    const cluster = new PostgresCluster(options.programs, options.name, settings);
    const service = await FaultProxy.start(() => [{ host: HOST, port: cluster.port }]);
    const replication = await FaultProxy.start(() => [{ host: HOST, port: options.upstream() }]);
    return new Site(options, cluster, service, replication);
  }

  /** Makes its server the first primary. */
  async begin(): Promise<void> {
    await this.cluster.init();
    await this.cluster.start();
  }

  /** Starts its gateways, those before ended. */
  async open(role: 'primary' | 'replica'): Promise<void> {
    await this.#closeGateways();
    this.role = role;
    const { configFile, baseUrl } = this.#options;
    const environment = {
      ROSTACK__KEYS: 'the keys of these sites are no secret to anybody',
      ROSTACK__LISTENERS__DATA__PORT: '0',
      ROSTACK__PUBLIC_URL: baseUrl,
      ROSTACK__STORE__URL: this.cluster.urlOf('postgres', this.#service.port),
      ROSTACK__STORE__ROLE: role,
      ROSTACK__STORE__POLL_INTERVAL: '100ms',
      ROSTACK__STORE__READ_TIMEOUT: '1s',
    };
    const config = await loadConfig(configFile, { environment });
    const log = (line: string) => {
      this.lines.push(line);
    };
    const gateways: Gateway[] = [];
    while (gateways.length < GATEWAYS) {
      gateways.push(await patiently(() => createGateway(config, { log })));
    }
    this.gateways = gateways;
  }

  /** Makes its server a standby, from a fresh copy of the one that it follows. Gateways of a standby go on meanwhile. */
  async rebuild(): Promise<void> {
    if (this.role === 'primary') await this.#closeGateways();
    this.#cutService();
    await this.cluster.stop('immediate');
    await this.cluster.discard();
    this.cutReplication(false);
    await this.cluster.followFrom(this.#replication.port);
    await this.cluster.start();
    this.#service.refuse(false);
    if (this.gateways.length === 0) await this.open('replica');
  }

  /** Its server goes down as in a power cut. */
  async die(): Promise<void> {
    this.#cutService();
    await this.cluster.stop('immediate');
  }

  /** Its server becomes the primary; its gateways go on as they are. */
  promote(): Promise<void> {
    return this.cluster.promote();
  }

  /** Ends every connection of its gateways to the server: they come again. */
  cutService(): void {
    this.#service.cut();
  }

  /** Keeps what the primary writes from its server. */
  cutReplication(isCut: boolean): void {
    this.#replication.refuse(isCut);
    if (isCut) this.#replication.cut();
  }

  /** The one value that a query of the server gives, which is a text. */
  async ask(query: string): Promise<string> {
    return String((await this.cluster.query('postgres', query))[0]?.['value']);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#closeGateways();
    await this.#service[Symbol.asyncDispose]();
    await this.#replication[Symbol.asyncDispose]();
    await this.cluster.stop('immediate');
  }

  async #closeGateways(): Promise<void> {
    const closing = this.gateways;
    this.gateways = [];
    for (const gateway of closing) await gateway.close({ drainTimeoutMs: 0 });
  }

  #cutService(): void {
    this.#service.refuse(true);
    this.#service.cut();
  }
}
