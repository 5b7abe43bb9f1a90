export {
  evaluatePermission,
  type GuardedResource,
  type PermissionDecision,
  type Principal,
  type ResourceOperation,
} from './evaluate-permission.ts';
