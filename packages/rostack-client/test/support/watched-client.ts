import {
  type ClientOptions,
  type ConnectionStatus,
  type Credentials,
  connect,
  type RostackClient,
} from 'rostack-client';

type StatusOf<K extends ConnectionStatus['kind']> = Extract<ConnectionStatus, { readonly kind: K }>;

export interface WatchedClient extends AsyncDisposable {
  readonly client: RostackClient;
  /** What `onStatus` was given, oldest first. */
  readonly statuses: readonly ConnectionStatus[];
  /** Waits for status number `count` of a kind. */
  until<K extends ConnectionStatus['kind']>(kind: K, count?: number): Promise<StatusOf<K>>;
}

/** A client whose statuses can be waited for. */
export async function watchedClient(
  url: string,
  credentials: Credentials,
  options: ClientOptions = {},
): Promise<WatchedClient> {
  const statuses: ConnectionStatus[] = [];
  let wake = (): void => {};
  const client = await connect(url, credentials, {
    ...options,
    onStatus: (status) => {
      statuses.push(status);
      wake();
    },
  });
  return {
    client,
    statuses,
    until: async (kind, count = 1) => {
      for (;;) {
        const found = statuses.filter((status) => status.kind === kind)[count - 1];
        if (found !== undefined) return found as never;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
