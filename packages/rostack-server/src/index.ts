/// <reference lib="esnext.disposable" preserve="true" />
export * from './auth/index.ts';
export * from './http/index.ts';
export * from './options/index.ts';
export * from './rate-limit/index.ts';
export * from './serve/index.ts';
export * from './websocket/index.ts';
