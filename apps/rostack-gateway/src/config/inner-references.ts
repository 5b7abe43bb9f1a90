import { declaredMembers } from './carried-members.ts';
import { type ConfigMistake, formatPath } from './config-error.ts';
import type { PathSegment } from './config-schema.ts';
import type { GatewayConfig, ResourceConfig } from './gateway-config.ts';
import { nearestName } from './nearest-name.ts';

/** Names in a configuration that refer to something else in it, and do not find it. */
export function innerReferenceMistakes({ permissions, resources }: GatewayConfig): readonly ConfigMistake[] {
  const permissionNames = Object.keys(permissions);
  return Object.entries(resources).flatMap(([name, resource]) => [
    ...unknownNames(resource.readPermissions, permissionNames, {
      path: ['resources', name, 'read_permissions'],
      place: 'permissions',
    }),
    ...unknownNames(resource.subscribePermissions ?? [], permissionNames, {
      path: ['resources', name, 'subscribe_permissions'],
      place: 'permissions',
    }),
    ...carriedMistakes(name, resource),
  ]);
}

function carriedMistakes(name: string, { schema, events }: ResourceConfig): readonly ConfigMistake[] {
  return Object.entries(events).flatMap(([event, { carries }]) =>
    unknownNames(Array.isArray(carries) ? carries : [], declaredMembers(schema), {
      path: ['resources', name, 'events', event, 'carries'],
      place: 'the schema',
    }),
  );
}

function unknownNames(
  used: readonly string[],
  known: readonly string[],
  { path, place }: { readonly path: readonly PathSegment[]; readonly place: string },
): readonly ConfigMistake[] {
  return used.flatMap((name, index) => {
    if (known.includes(name)) return [];
    const full = [...path, index];
    const nearest = nearestName(name, known);
    const advice = nearest === undefined ? `write one of ${known.join(', ')}.` : `did you mean ${nearest}?`;
    return [
      {
        path: full,
        message: `${formatPath(full)} is ${JSON.stringify(name)}, which ${place} does not have; ${advice}`,
      },
    ];
  });
}
