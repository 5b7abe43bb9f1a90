import type { ResourceDescription } from '../description/describe-implementation.ts';
import { REFERENCE_ID } from '../description/explorer-data.ts';
import { EventTable } from './event-table.tsx';
import { FieldTable } from './field-table.tsx';

/** One resource: where it is, who may read it, its fields and events, and how to ask for it. */
export function ResourceSection({ description }: { readonly description: ResourceDescription }) {
  const { descriptor, fields, events, curl, client } = description;
  const { name } = descriptor;
  return (
    <section id={REFERENCE_ID} aria-labelledby="reference-title">
      <h2 id="reference-title">Reference</h2>
      <dl class="facts">
        <div>
          <dt>Collection</dt>
          <dd>
            <code>{descriptor.collection_url}</code>
          </dd>
        </div>
        <div>
          <dt>One record</dt>
          <dd>
            <code>{descriptor.item_url_template}</code>
          </dd>
        </div>
        <div>
          <dt>To read</dt>
          <dd>
            <PermissionList names={descriptor.read_permissions} none="no permission" />
          </dd>
        </div>
        {events.length === 0 ? null : (
          <div>
            <dt>To follow</dt>
            <dd>
              <PermissionList names={descriptor.subscribe_permissions} none="any valid token" />
            </dd>
          </div>
        )}
        {descriptor.representations.map((representation) => (
          <div>
            <dt>{representation.media_type}</dt>
            <dd>
              <a
                href={representation.schema_url}
                aria-label={`JSON Schema of ${name} as ${representation.media_type}`}
              >
                JSON Schema
              </a>
              {representation.description === undefined ? null : ` ${representation.description}`}
            </dd>
          </div>
        ))}
      </dl>
      <h3>Fields</h3>
      <FieldTable name={name} fields={fields} />
      <p class="note">
        {fields.every(({ required }) => required)
          ? 'Every record has all of these fields.'
          : 'Every record has these fields, but for those marked as optional.'}
      </p>
      <h3>Events</h3>
      {events.length === 0 ? (
        <p class="note">This resource has no events; list it again to see what changed.</p>
      ) : (
        <>
          <EventTable name={name} events={events} />
          <p class="note">
            {descriptor.event_filtering
              ? 'A subscription may carry a filter. A record that begins to match arrives as a create event, one that ceases to match as a delete event.'
              : 'Subscriptions to this resource cannot carry a filter; they can choose event names.'}
          </p>
        </>
      )}
      <h3>Examples</h3>
      <div class="examples">
        <CodeBlock title="List with curl" kind="curl-list" code={curl.list} />
        <CodeBlock title="Get one with curl" kind="curl-get" code={curl.get} />
        <CodeBlock title="List, get and follow with rostack-client" kind="client" code={client} />
      </div>
    </section>
  );
}

/** Permission names that are needed together. */
function PermissionList({
  names,
  none,
}: {
  readonly names: readonly string[];
  /** What an empty list means. */
  readonly none: string;
}) {
  if (names.length === 0) return <>{none}</>;
  return (
    <>
      {names.map((name, index) => (
        <>
          {index === 0 ? null : ' and '}
          <code>{name}</code>
        </>
      ))}
    </>
  );
}

interface CodeBlockProps {
  readonly title: string;
  /** Identifies the block for programs: `curl-list`, `client`. */
  readonly kind: string;
  readonly code: string;
}

/** Code to copy; the script adds the button. */
function CodeBlock({ title, kind, code }: CodeBlockProps) {
  return (
    <figure class="code" data-example={kind}>
      <figcaption>{title}</figcaption>
      <pre tabindex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}
