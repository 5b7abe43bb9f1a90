/** The parts of @nats-io/nats-core and @nats-io/kv that are used here, so that types are checked without them being installed. */

export interface NatsConnection {
  readonly close: () => Promise<void>;
}

export interface NatsModule {
  readonly wsconnect: (options: { readonly servers: string }) => Promise<NatsConnection>;
}

export interface Entry {
  readonly string: () => string;
  /** How many of the present state come after it. */
  readonly delta?: number | undefined;
}

export interface Bucket {
  readonly put: (key: string, value: string) => Promise<number>;
  readonly watch: () => Promise<AsyncIterable<Entry>>;
}

export interface KvModule {
  readonly Kvm: new (
    connection: NatsConnection,
  ) => {
    readonly create: (name: string) => Promise<Bucket>;
    readonly open: (name: string) => Promise<Bucket>;
  };
}
