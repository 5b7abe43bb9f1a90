import type { DiscoveryDocument } from 'rostack-core';

type Method = DiscoveryDocument['authentication']['methods'][number];

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

/** The ways to prove who one is. */
export function MethodList({ methods }: { readonly methods: readonly Method[] }) {
  return (
    <ul class="plain">
      {methods.map((method) => (
        <MethodItem method={method} />
      ))}
    </ul>
  );
}
