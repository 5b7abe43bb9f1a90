import { CAPABILITY_CHECKS } from './capability-checks.ts';
import type { DiscoveryCheck } from './discovery-check.ts';
import { ERROR_CHECKS } from './error-checks.ts';
import { RESOURCE_CHECKS } from './resource-checks.ts';

/** Every rule of discovery documents that JSON Schema cannot say, by its stable name. */
export const DISCOVERY_CHECKS: readonly DiscoveryCheck[] = [
  ...CAPABILITY_CHECKS,
  ...ERROR_CHECKS,
  ...RESOURCE_CHECKS,
];
