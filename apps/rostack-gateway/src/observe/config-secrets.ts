import type { GatewayConfig } from '../config/gateway-config.ts';

/** Every secret that a configuration holds, to be kept out of logs. */
export function configSecrets(config: GatewayConfig): readonly (string | undefined)[] {
  const { keys, listeners, store, hints, telemetry } = config;
  const url = URL.canParse(store.url) ? new URL(store.url) : undefined;
  return [
    keys,
    listeners.admin?.token,
    hints.natsToken,
    telemetry.otlpHeaders,
    ...(telemetry.otlpHeaders ?? '').split(',').map((pair) => pair.split(/=(.*)/s)[1]?.trim()),
    url?.password,
    url === undefined ? undefined : decoded(url.password),
    url?.searchParams.get('password') ?? undefined,
  ];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
