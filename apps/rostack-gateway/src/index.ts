export { CertificateError } from './certificates/certificate-files.ts';
export { BreakingChangeError } from './compatibility/served-document.ts';
export { ConfigError, type ConfigMistake, type LocatedMistake } from './config/config-error.ts';
export type { ConfigInput } from './config/config-model.ts';
export type {
  AdminListenerConfig,
  CanaryConfig,
  DataListenerConfig,
  GatewayConfig,
  RepresentationConfig,
  ResourceConfig,
  TlsConfig,
} from './config/gateway-config.ts';
export { type ConfigSurroundings, loadConfig, parseConfig } from './config/load-config.ts';
export { createGateway } from './gateway/create-gateway.ts';
export type { Gateway } from './gateway/gateway.ts';
export { SecretsFileError } from './gateway/gateway-keys.ts';
export type { GatewayDependencies } from './gateway/serve.ts';
export { PortInUseError } from './listener/listener.ts';
export { configSecrets, createLogger, type LoggerOptions } from './observe/logger.ts';
export { DatabaseInUseError } from './store/run-lock.ts';
export {
  type CreatedToken,
  createToken,
  type RotationRequest,
  rotateToken,
  type TokenRequest,
} from './token/tokens.ts';
