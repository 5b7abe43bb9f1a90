export type { CafeteriaConfig, LiveUpstream } from './config.ts';
export { ConfigError, readConfig } from './config.ts';
export { ListenError } from './running/listener.ts';
export type { Cafeteria } from './start.ts';
export { startCafeteria } from './start.ts';
