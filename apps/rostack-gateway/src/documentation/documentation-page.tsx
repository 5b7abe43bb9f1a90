import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { DiscoveryDocument, Resource } from 'rostack-core';

function Fields({ resource }: { readonly resource: Resource }) {
  const { filterable_fields: filterable, sortable_fields: sortable } = resource.filtering;
  return (
    <table>
      <caption>Fields to filter and sort by</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Filter operators</th>
          <th scope="col">Sortable</th>
        </tr>
      </thead>
      <tbody>
        {[...new Set([...Object.keys(filterable), ...sortable])].map((pointer) => (
          <tr>
            <th scope="row">
              <code>{pointer}</code>
            </th>
            <td>{filterable[pointer]?.join(', ') ?? 'none'}</td>
            <td>{sortable.includes(pointer) ? 'yes' : 'no'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ResourceSection({ resource }: { readonly resource: Resource }) {
  return (
    <section>
      <h2>{resource.name}</h2>
      {resource.description && <p>{resource.description}</p>}
      <dl>
        <dt>Collection</dt>
        <dd>
          <code>{resource.collection_url}</code>
        </dd>
        <dt>Item</dt>
        <dd>
          <code>{resource.item_url_template}</code>
        </dd>
        <dt>Needed to read</dt>
        <dd>{resource.read_permissions.join(', ')}</dd>
        <dt>Needed to follow</dt>
        <dd>{resource.subscribe_permissions.join(', ') || 'any authenticated principal'}</dd>
        <dt>Schemas</dt>
        <dd>
          {resource.representations.map(({ media_type: mediaType, schema_url: schemaUrl }) => (
            <a href={schemaUrl}>{mediaType}</a>
          ))}
        </dd>
        <dt>Events</dt>
        <dd>
          {resource.events
            .map(({ name, state_transition: transition }) => `${name} (${transition})`)
            .join(', ') || 'none'}
        </dd>
      </dl>
      <Fields resource={resource} />
    </section>
  );
}

/** The documentation page: a reading of the discovery document, useful without script or style. */
export function renderDocumentationPage(
  discovery: DiscoveryDocument,
): HtmlEscapedString | Promise<HtmlEscapedString> {
  const { implementation, endpoints, authentication, capabilities, resources } = discovery;
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{implementation.name}</title>
      </head>
      <body>
        <main>
          <h1>{implementation.name}</h1>
          <p>
            Speaks <code>{discovery.protocol.version}</code>, API version{' '}
            <code>{implementation.api_version}</code>. All that it offers stands in its{' '}
            <a href={endpoints.discovery}>discovery document</a>.
          </p>
          <dl>
            <dt>JSON API</dt>
            <dd>
              <code>{endpoints.json_api}</code>
            </dd>
            <dt>WebSocket gateway</dt>
            <dd>
              <code>{endpoints.websocket}</code>
            </dd>
            <dt>Authentication</dt>
            <dd>{authentication.methods.map(({ type }) => type).join(', ')}</dd>
            <dt>Largest page</dt>
            <dd>{capabilities.max_page_size} records</dd>
          </dl>
          {resources.map((resource) => (
            <ResourceSection resource={resource} />
          ))}
          <section>
            <h2>Permissions</h2>
            <dl>
              {Object.entries(authentication.permissions).map(([name, text]) => (
                <>
                  <dt>
                    <code>{name}</code>
                  </dt>
                  <dd>{text}</dd>
                </>
              ))}
            </dl>
          </section>
        </main>
      </body>
    </html>
  );
  return html`<!doctype html>${page}`;
}
