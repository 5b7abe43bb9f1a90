export type { CafeteriaConfig, LiveUpstream } from './config.ts';
export { ConfigError, readConfig } from './config.ts';
export { ListenError } from './listener.ts';
export type { Cafeteria } from './start.ts';
export { startCafeteria } from './start.ts';
