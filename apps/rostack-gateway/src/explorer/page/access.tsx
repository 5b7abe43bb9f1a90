import type { DiscoveryDocument, Resource } from 'rostack-core';
import { MethodList } from './method-list.tsx';
import { Scroller } from './scroller.tsx';

function usesOf(permission: string, resources: readonly Resource[]): string {
  const uses = resources.flatMap(({ name, read_permissions: read, subscribe_permissions: subscribe }) => [
    ...(read.includes(permission) ? [`read ${name}`] : []),
    ...(subscribe.includes(permission) ? [`follow ${name}`] : []),
  ]);
  return uses.join(', ') || 'nothing';
}

/** How to prove who one is, and what each permission opens. */
export function Access({ discovery }: { readonly discovery: DiscoveryDocument }) {
  const { methods, permissions } = discovery.authentication;
  return (
    <section id="access" aria-labelledby="access-title">
      <h2 id="access-title">Access</h2>
      <MethodList methods={methods} />
      <p>
        Permissions that a resource lists are needed together. To read does not give the right to follow, nor
        the other way round.
      </p>
      <Scroller label="Permissions">
        <table>
          <thead>
            <tr>
              <th scope="col">Permission</th>
              <th scope="col">Meaning</th>
              <th scope="col">Needed to</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(permissions).map(([name, text]) => (
              <tr>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td>{text}</td>
                <td>{usesOf(name, discovery.resources)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
    </section>
  );
}
