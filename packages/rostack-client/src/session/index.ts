export { sessionDueMs, stepSession } from './session.ts';
export type { SessionInput } from './session-input.ts';
export type { SessionEffect, SessionStep } from './session-output.ts';
export type { Instant, SessionRules } from './session-rules.ts';
export { type SessionState, type SubscriptionDefinition, startSession } from './session-state.ts';
