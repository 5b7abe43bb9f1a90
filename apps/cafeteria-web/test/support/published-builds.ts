import { registerHooks } from 'node:module';

/**
 * Some dependencies of the official clients publish TypeScript under the `source` condition that this repository
 * runs its own packages with; Node refuses TypeScript in node_modules, so they get their published builds.
 */
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (!specifier.startsWith('eventsource')) return nextResolve(specifier, context);
    const conditions = context.conditions.filter((condition) => condition !== 'source');
    return nextResolve(specifier, { ...context, conditions });
  },
});
