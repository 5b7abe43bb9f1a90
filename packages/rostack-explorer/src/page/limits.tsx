import { type AnyDiscoveryDocument, DEFAULT_FILTER_LIMITS } from 'rostack-core';

/** The limits and times that the implementation advertises. */
export function Limits({ discovery }: { readonly discovery: AnyDiscoveryDocument }) {
  const { max_page_size: maxPageSize, websocket } = discovery.capabilities;
  const { maxDepth, maxNodes, maxArrayMembers, maxStringBytes } = DEFAULT_FILTER_LIMITS;
  const limits: readonly (readonly [name: string, value: string])[] = [
    ['Largest page', `${maxPageSize} records`],
    [
      'Filter',
      `${maxDepth} levels, ${maxNodes} conditions, ${maxArrayMembers.toLocaleString('en-US')} members of a list, ${maxStringBytes.toLocaleString('en-US')} bytes of a text`,
    ],
    ['Event encodings', websocket.event_encodings.join(', ')],
    ['Compression', websocket.extensions.join(', ') || 'none'],
    ['Authenticate within', durationInWords(websocket.authentication_timeout_ms)],
    ['Heartbeat after silence of', durationInWords(websocket.heartbeat_interval_ms)],
    ['Answer a heartbeat within', durationInWords(websocket.heartbeat_timeout_ms)],
    [
      'Reconnect after',
      `${durationInWords(websocket.reconnect_min_delay_ms)} to ${durationInWords(websocket.reconnect_max_delay_ms)}`,
    ],
    ['Read discovery again after', durationInWords(websocket.discovery_refresh_after_ms)],
  ];
  return (
    <section id="limits" aria-labelledby="limits-title">
      <h2 id="limits-title">Limits</h2>
      <dl class="facts">
        {limits.map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const UNITS = [
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const;

/** Milliseconds in words: `30 seconds`, `1 hour`, `500 milliseconds`. */
function durationInWords(ms: number): string {
  const [size, unit] = UNITS.find(([unitMs]) => ms >= unitMs && ms % unitMs === 0) ?? [1, 'millisecond'];
  const count = ms / size;
  return `${count.toLocaleString('en-US')} ${unit}${count === 1 ? '' : 's'}`;
}
