import { anInteger, type ImplementationTypes, type OptionCheck, optional, optionsOf } from 'rostack-core';
import { aStrippedPrefix } from '../guard/option-checks.ts';
import type { HttpSettings } from '../http/index.ts';
import { httpSettings } from '../http/options/app-option-checks.ts';
import { type ServedOptions, servedOptions, sourcesFault } from '../options/served-options.ts';
import type { GatewaySettings } from '../websocket/index.ts';
import { gatewaySettings } from '../websocket/options/gateway-option-checks.ts';

/** The options of `createRostackApp` and `attachWebSocketGateway`, given once for both. */
export type ServeOptions<Types extends ImplementationTypes = ImplementationTypes> = ServedOptions<Types> &
  HttpSettings<Types> & {
    /**
     * Path below which everything but discovery is served, such as `/data`: that of the implementation's `baseUrl`. It has no effect, but a
     * wrong one is refused at start.
     * @default not checked
     */
    readonly basePath?: string;
    /** How many of your own reverse proxies are in front of the server, and so how far `X-Forwarded-For` is trusted. @default 0 */
    readonly trustedProxies?: number;
    /** Settings of the WebSocket gateway only. @default see each setting */
    readonly websocket?: GatewaySettings;
  };

const serveOptions: OptionCheck = optionsOf<ServeOptions>({
  ...servedOptions,
  ...httpSettings,
  basePath: aStrippedPrefix,
  trustedProxies: optional(anInteger(0)),
  websocket: optional(optionsOf<GatewaySettings>(gatewaySettings)),
});

/** What is wrong with the options themselves, and with the given path. */
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
