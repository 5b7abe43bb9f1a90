/**
 * How a gateway is started where processor time is dearer than memory, and what it is compared with: a young generation that is not
 * large enough to have V8 collect all memory all the time.
 */
export const FAST_PROCESS = {
  environment: { NODE_OPTIONS: '--max-semi-space-size=8' },
  nodeOptions: [],
} as const;
