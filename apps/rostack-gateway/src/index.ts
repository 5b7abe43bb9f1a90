export { BreakingChangeError } from './config/compatibility/served-document.ts';
export { ConfigError, type ConfigMistake, type LocatedMistake } from './config/fault/config-error.ts';
export { type ConfigSurroundings, loadConfig, parseConfig } from './config/load-config.ts';
export type { ConfigInput } from './config/model/config-model.ts';
export type {
  AdminListenerConfig,
  CanaryConfig,
  DataListenerConfig,
  GatewayConfig,
  RepresentationConfig,
  ResourceConfig,
  TlsConfig,
} from './config/model/gateway-config.ts';
export { configSecrets, createLogger, type LoggerOptions } from './observe/log/logger.ts';
export { CertificateError } from './serving/certificates/certificate-files.ts';
export { createGateway } from './serving/gateway/create-gateway.ts';
export type { Gateway } from './serving/gateway/gateway.ts';
export { SecretsFileError } from './serving/gateway/gateway-keys.ts';
export type { GatewayDependencies } from './serving/gateway/serve.ts';
export { PortInUseError } from './serving/listener/listener.ts';
export { DatabaseInUseError } from './serving/store/run-lock.ts';
export {
  type CreatedToken,
  createToken,
  type RotationRequest,
  rotateToken,
  type TokenRequest,
} from './serving/token/tokens.ts';
