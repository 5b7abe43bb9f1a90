import type { AnyDiscoveryDocument } from 'rostack-core';

/** The implementation's identity, versions and endpoints. */
export function Overview({ discovery }: { readonly discovery: AnyDiscoveryDocument }) {
  const { implementation, endpoints, resources, alternate_versions: alternates = [] } = discovery;
  return (
    <div class="overview">
      <h2>{implementation.name}</h2>
      <p class="lede">
        {resources.length === 1 ? 'One resource' : `${resources.length} resources`}, read by HTTP and followed
        live by WebSocket.
      </p>
      <dl class="facts">
        <div>
          <dt>Protocol</dt>
          <dd>
            <code>{discovery.protocol.version}</code>
          </dd>
        </div>
        <div>
          <dt>Implementation</dt>
          <dd>
            <code>{implementation.id}</code>
          </dd>
        </div>
        <div>
          <dt>API version</dt>
          <dd>
            <code>{implementation.api_version}</code>
          </dd>
        </div>
        <div>
          <dt>Discovery document</dt>
          <dd>
            <a href={endpoints.discovery}>
              <code>{endpoints.discovery}</code>
            </a>
          </dd>
        </div>
        <div>
          <dt>JSON API</dt>
          <dd>
            <code>{endpoints.json_api}</code>
          </dd>
        </div>
        <div>
          <dt>WebSocket gateway</dt>
          <dd>
            <code>{endpoints.websocket}</code>
          </dd>
        </div>
        {alternates.map((alternate) => (
          <div>
            <dt>Also as version {alternate.api_version}</dt>
            <dd>
              <a href={alternate.discovery_url}>
                <code>{alternate.discovery_url}</code>
              </a>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
