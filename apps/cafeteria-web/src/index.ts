export { ListenError } from './running/listener.ts';
export type { CafeteriaConfig, LiveUpstream } from './starting/config.ts';
export { ConfigError, readConfig } from './starting/config.ts';
export type { Cafeteria } from './starting/start.ts';
export { startCafeteria } from './starting/start.ts';
