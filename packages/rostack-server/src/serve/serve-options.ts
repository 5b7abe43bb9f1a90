import {
  aFunction,
  type ImplementedResource,
  type OptionCheck,
  objectWith,
  optional,
  type RecordSource,
  wholeNumber,
} from 'rostack-core';
import { aStrippedPrefix } from '../guard/option-checks.ts';
import {
  AppConfigurationError,
  type HttpHooks,
  type RostackAppOptions,
  type ServedImplementation,
} from '../http/index.ts';
import type { GatewayObserver, WebSocketGatewayOptions } from '../websocket/index.ts';

/** Where the records come from: a store such as that of rostack-store, or a function from the name of a resource. */
export type ServeSource =
  | { readonly store: { source(resourceName: string): RecordSource }; readonly sources?: undefined }
  | { readonly sources: (resourceName: string) => RecordSource; readonly store?: undefined };

/** What `createRostackApp` and `attachWebSocketGateway` are given, once for both. */
export type ServeOptions = ServeSource &
  Omit<RostackAppOptions, 'sources' | 'hooks' | 'clientAddress' | 'clock' | 'implementation'> & {
    readonly implementation: Omit<ServedImplementation, 'resources'> & {
      readonly resources: Readonly<Record<string, ImplementedResource>>;
    };
    /**
     * Path that everything but discovery is served below, such as `/data`: that of the `baseUrl` of the implementation. It changes
     * nothing, but a wrong one is refused at start. @default not checked
     */
    readonly basePath?: string;
    /** Reverse proxies of yours before the server: how far `X-Forwarded-For` is believed. @default 0 */
    readonly trustedProxies?: number;
    /** Calls for logs and metrics, of HTTP and WebSocket together. */
    readonly hooks?: HttpHooks & GatewayObserver;
    /** What only the WebSocket gateway has. */
    readonly websocket?: Pick<
      WebSocketGatewayOptions,
      | 'allowedOrigins'
      | 'limits'
      | 'maxPollMs'
      | 'minPollMs'
      | 'recheckIntervalMs'
      | 'refuse'
      | 'ringMaxBytes'
      | 'ringMaxChanges'
    >;
  };

/** The function that gives the records of each resource. @throws AppConfigurationError `invalid_app_options` */
export function sourcesOf({ store, sources }: ServeSource): RostackAppOptions['sources'] {
  if ((store === undefined) === (sources === undefined)) {
    throw new AppConfigurationError(['Give either a store or sources.']);
  }
  const fault =
    optional(objectWith('source'))(store, 'options.store') ?? optional(aFunction)(sources, 'options.sources');
  if (fault !== undefined) throw new AppConfigurationError([`${fault}.`]);
  return sources ?? ((name) => store.source(name));
}

const OWN_CHECKS: Readonly<Record<'basePath' | 'trustedProxies', OptionCheck>> = {
  basePath: aStrippedPrefix,
  trustedProxies: optional(wholeNumber(0)),
};

/** What is wrong with those options that neither the app nor the gateway is given. */
export function ownFaults({ basePath, trustedProxies, implementation }: ServeOptions): readonly string[] {
  const fault =
    OWN_CHECKS.basePath(basePath, 'options.basePath') ??
    OWN_CHECKS.trustedProxies(trustedProxies, 'options.trustedProxies');
  if (fault !== undefined) return [`${fault}.`];
  if (basePath === undefined || basePath === '') return [];
  const { endpoints, resources } = implementation.discovery;
  const advertised = [
    endpoints.json_api,
    endpoints.websocket,
    ...resources.map(({ collection_url }) => collection_url),
    ...implementation.schemas.keys(),
  ];
  const outside = advertised.find((url) => !new URL(url).pathname.startsWith(`${basePath}/`));
  if (outside === undefined) return [];
  return [
    `options.basePath is ${JSON.stringify(basePath)}, but the implementation advertises ${outside}: define it with a baseUrl that ends in ${basePath}, or leave basePath out.`,
  ];
}
