export type { BreakingChange, BreakingChangeKind } from './breaking-change.ts';
export { type CompatibilityReport, compareImplementations } from './compare-implementations.ts';
export type { DescribedImplementation } from './compare-resources.ts';
