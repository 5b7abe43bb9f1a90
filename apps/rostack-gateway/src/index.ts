export { type DevelopmentCertificate, ensureDevelopmentCertificate } from './development-certificate.ts';
export { createGateway, type Gateway, type GatewayOptions } from './gateway.ts';
export { type Listener, type ListenerOptions, listen, PortInUseError } from './listener.ts';
export { ensureSecrets, type GatewaySecrets, SecretsFileError } from './secrets-file.ts';
export { TokenFile, TokenFileError, type TokenRequest } from './token-file.ts';
