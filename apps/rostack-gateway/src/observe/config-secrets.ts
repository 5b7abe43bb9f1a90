import type { GatewayConfig } from '../config/gateway-config.ts';

/** Every secret that a configuration holds, to be kept out of logs. */
export function configSecrets(config: GatewayConfig): readonly (string | undefined)[] {
  const { keys, listeners, store, hints, telemetry } = config;
  return [
    keys,
    listeners.admin?.token,
    hints.natsToken,
    telemetry.otlpHeaders,
    ...(telemetry.otlpHeaders ?? '').split(',').map((pair) => pair.split(/=(.*)/s)[1]?.trim()),
    ...passwordsOf(store.url),
    ...passwordsOf(store.directUrl),
  ];
}

function passwordsOf(databaseUrl: string | undefined): readonly (string | undefined)[] {
  if (databaseUrl === undefined || !URL.canParse(databaseUrl)) return [];
  const { password, searchParams } = new URL(databaseUrl);
  return [password, decoded(password), searchParams.get('password') ?? undefined];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
