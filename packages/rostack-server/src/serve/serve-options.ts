import { type ImplementationTypes, type OptionCheck, optional, optionsOf, wholeNumber } from 'rostack-core';
import { aStrippedPrefix } from '../guard/option-checks.ts';
import { httpSettings } from '../http/app-option-checks.ts';
import type { HttpSettings } from '../http/index.ts';
import { type ServedOptions, servedOptions, sourcesFault } from '../options/served-options.ts';
import type { GatewaySettings } from '../websocket/index.ts';
import { gatewaySettings } from '../websocket/options/gateway-option-checks.ts';

/** What `createRostackApp` and `attachWebSocketGateway` are given, once for both. */
export type ServeOptions<Types extends ImplementationTypes = ImplementationTypes> = ServedOptions<Types> &
  HttpSettings<Types> & {
    /**
     * Path that everything but discovery is served below, such as `/data`: that of the `baseUrl` of the implementation. It changes
     * nothing, but a wrong one is refused at start. @default not checked
     */
    readonly basePath?: string;
    /** Reverse proxies of yours before the server: how far `X-Forwarded-For` is believed. @default 0 */
    readonly trustedProxies?: number;
    /** What only the WebSocket gateway has. @default as its parts say */
    readonly websocket?: GatewaySettings;
  };

const serveOptions: OptionCheck = optionsOf<ServeOptions>({
  ...servedOptions,
  ...httpSettings,
  basePath: aStrippedPrefix,
  trustedProxies: optional(wholeNumber(0)),
  websocket: optional(optionsOf<GatewaySettings>(gatewaySettings)),
});

/** What is wrong with the options themselves, and with the path that is named. */
export function serveOptionFaults(options: ServeOptions): readonly string[] {
  const fault = serveOptions(options, 'options');
  if (fault !== undefined) return [`${fault}.`];
  const { basePath = '', implementation } = options;
  const sourceFault = sourcesFault(options);
  if (sourceFault !== undefined) return [sourceFault];
  if (basePath === '') return [];
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
