import { type Command, Option } from 'commander';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { loadConfig } from '../config/load-config.ts';
import type { CliIo } from './command.ts';

/** File that commands read unless `--config` names another. */
export const DEFAULT_CONFIG_FILE = 'rostack-gateway.yaml';

export interface ConfigOptions {
  readonly config: string;
}

/** Adds `--config FILE` to a command. */
export function withConfigOption(command: Command): Command {
  return command.addOption(
    new Option('-c, --config <file>', 'configuration file').default(DEFAULT_CONFIG_FILE),
  );
}

/** Reads the configuration that `--config` names. @throws ConfigError `config_invalid` */
export function readConfigOption(options: ConfigOptions, io: CliIo): Promise<GatewayConfig> {
  return loadConfig(options.config, { environment: io.environment });
}
