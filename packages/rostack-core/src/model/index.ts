export type { Fault } from './fault.ts';
export { MODELS } from './models.ts';
export { FIELD_POINTER_PATTERN } from './text.ts';
