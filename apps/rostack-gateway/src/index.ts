export { DatabaseInUseError } from './backup/run-lock.ts';
export { CertificateError } from './certificate-files.ts';
export { BreakingChangeError } from './compatibility/served-document.ts';
export { ConfigError, type ConfigMistake, type LocatedMistake } from './config/config-error.ts';
export type { ConfigInput } from './config/config-model.ts';
export type {
  AdminListenerConfig,
  DataListenerConfig,
  GatewayConfig,
  ResourceConfig,
  TlsConfig,
} from './config/gateway-config.ts';
export { type ConfigSurroundings, loadConfig, parseConfig } from './config/load-config.ts';
export { createGateway } from './create-gateway.ts';
export type { Gateway } from './gateway.ts';
export type { GatewayDependencies } from './gateway-dependencies.ts';
export { PortInUseError } from './listener.ts';
export { configSecrets } from './observe/config-secrets.ts';
export { createLogger, type LoggerOptions } from './observe/logger.ts';
export { SecretsFileError } from './secrets-file.ts';
export { type CreatedToken, createToken, rotateToken, type TokenRequest } from './token/create-token.ts';
