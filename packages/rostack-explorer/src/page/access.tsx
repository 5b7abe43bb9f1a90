import type { AnyDiscoveryDocument, Authentication, Resource } from 'rostack-core';
import { Scroller } from './parts.tsx';

function usesOf(permission: string, resources: readonly Resource[]): string {
  const uses = resources.flatMap(({ name, read_permissions: read, subscribe_permissions: subscribe }) => [
    ...(read.includes(permission) ? [`read ${name}`] : []),
    ...(subscribe.includes(permission) ? [`follow ${name}`] : []),
  ]);
  return uses.join(', ') || 'nothing';
}

/** Authentication methods and permissions. */
export function Access({ discovery }: { readonly discovery: AnyDiscoveryDocument }) {
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

type Method = Authentication['methods'][number];

function MethodItem({ method }: { readonly method: Method }) {
  if (method.type === 'oauth2') {
    return (
      <li>
        <strong>OAuth 2.0.</strong> Send <code>Authorization: Bearer TOKEN</code>. Tokens come from the
        authorization server that <a href={method.authorization_server_metadata}>its metadata</a> describes;
        permissions are scopes.
      </li>
    );
  }
  return (
    <li>
      <strong>Shared token.</strong> Send <code>Authorization: {method.http_authorization_scheme} TOKEN</code>
      . {method.description ?? 'The operator hands tokens out; each is bound to its permissions.'}
    </li>
  );
}

/** The authentication methods as a list. */
export function MethodList({ methods }: { readonly methods: readonly Method[] }) {
  return (
    <ul class="plain">
      {methods.map((method) => (
        <MethodItem method={method} />
      ))}
    </ul>
  );
}
