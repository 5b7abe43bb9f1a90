// A client of rostack_v1 that follows one resource, in plain JavaScript without dependencies, to be read next to the protocol.
import { setTimeout as sleep } from 'node:timers/promises';

/** The members of what a server sends: other ones are refused. */
const MEMBERS = {
  discovery:
    'protocol implementation endpoints authentication capabilities errors resources alternate_versions',
  authenticated: 'type method protocol_version api_version principal_id reauthenticate_at',
  subscribed: 'type subscription_id event_encoding replaying',
  replay_complete: 'type subscription_id',
  event:
    'type subscription_id event_id cursor occurred_at event_type resource_id resource_version detail_url data',
  error: 'type code message retryable subscription_id retry_after_ms',
  go_away: 'type reason reconnect_after_ms drain_timeout_ms gateway_url',
  ping: 'type id',
  pong: 'type id',
};
const isClosed = (value, kind) => Object.keys(value).every((name) => MEMBERS[kind].split(' ').includes(name));
const failure = (code) => Object.assign(new Error(code), { code });

/** Follows until something happens that does not pass, and tells that to `onError`. */
export async function follow({ url, token, resource, filter, store, onChange, onError }) {
  const authorization = `Rostack-Token ${token}`;
  const seen = new Set(); // Ids of events: those that come twice are dropped.
  let state = store.load();
  let known; // The discovery document, its ETag, and the description of the resource.
  let lost = 0; // Connections since the last one that stayed for a heartbeat interval.
  let work = Promise.resolve(); // Changes are processed one after the other.

  const api = () => known.document.implementation;
  const definition = () => JSON.stringify([api().id, api().api_version, resource, filter]);
  const timing = () => known.document.capabilities.websocket;

  /** Full jitter between the minimum and a bound that doubles; what the server asks for wins. */
  function pause(losses, serverMs = 0) {
    const { reconnect_min_delay_ms: minMs, reconnect_max_delay_ms: maxMs } = known
      ? timing()
      : { reconnect_min_delay_ms: 1_000, reconnect_max_delay_ms: 60_000 };
    const boundMs = Math.min(maxMs, minMs * 2 ** losses);
    return sleep(Math.max(serverMs, minMs + Math.random() * (boundMs - minMs)));
  }

  async function ask(to, headers = { authorization }) {
    if (to.origin !== new URL(url).origin) throw failure('untrusted_url');
    for (let losses = 1; ; losses += 1) {
      const answer = await fetch(to, { headers, redirect: 'error' }).catch(() => undefined);
      const isSame = answer?.status === 304;
      const body = isSame ? {} : await answer?.json().catch(() => undefined);
      if (body && (answer.ok || isSame)) return { body, etag: answer.headers.get('etag') };
      const mayPass = !body || answer.status === 429 || answer.status >= 500;
      if (!mayPass) throw failure(body.type.split('/').at(-1));
      await pause(losses, body?.retry_after_ms);
    }
  }

  async function discover() {
    const condition = known?.etag ? { 'if-none-match': known.etag } : {};
    const { body, etag } = await ask(new URL('/.well-known/rostack', url), condition);
    if (!isClosed(body, 'discovery')) throw failure('invalid_discovery');
    if (body.protocol === undefined) return;
    known = { document: body, etag, resource: body.resources.find(({ name }) => name === resource) };
  }

  /** Processed first, stored then. */
  async function tell(records, cursor, eventId) {
    await onChange(records, eventId);
    state = { definition: definition(), cursor, records };
    store.save(state);
  }

  /** A whole chain of pages; one that expires is read again from its beginning. */
  async function readAll() {
    const to = new URL(known.resource.collection_url);
    if (filter) to.searchParams.set('filter', JSON.stringify(filter));
    for (const records = {}; ; ) {
      const { body } = await ask(to).catch((error) => {
        if (error.code !== 'invalid-cursor') throw error;
        return {};
      });
      if (body === undefined) return readAll();
      for (const record of body.items) records[record.id] = record;
      if (!body.page.has_more) return tell(records, body.page.event_cursor);
      to.searchParams.set('cursor', body.page.next_cursor);
    }
  }

  async function apply({ resource_id: id, event_id: eventId, cursor, data }, isGone) {
    const { [id]: _, ...others } = state.records;
    if (isGone) return tell(others, cursor, eventId);
    const itemUrl = known.resource.item_url_template.replace('{id}', encodeURIComponent(id));
    const record = data ?? (await ask(new URL(itemUrl)).catch(() => ({}))).body;
    return tell(record === undefined ? others : { ...others, [id]: record }, cursor, eventId);
  }

  /** One connection. Resolves when another one is needed, with what is known about that. */
  function connect(to, onReady) {
    return new Promise((resolve) => {
      const { heartbeat_interval_ms: intervalMs, heartbeat_timeout_ms: timeoutMs } = timing();
      const socket = new WebSocket(to, 'rostack.v1');
      let beat, healthy, awaited;
      let pings = 0;
      const send = (message) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message));
      const leave = (code, next = {}) => {
        clearTimeout(beat);
        clearTimeout(healthy);
        if (socket.readyState <= WebSocket.OPEN) socket.close(code);
        resolve(next);
      };
      const ping = () => {
        pings += 1;
        awaited = `ping-${pings}`;
        send({ type: 'ping', id: awaited });
        beat = setTimeout(leave, timeoutMs, 4408);
      };
      const listen = () => {
        clearTimeout(beat);
        beat = setTimeout(ping, intervalMs);
      };
      const subscribe = () =>
        send({ type: 'subscribe', subscription_id: 'all', resource, filter, cursor: state.cursor });

      const take = {
        authenticated({ api_version: version }) {
          if (version !== api().api_version) return leave(4500, { isDoubtful: true });
          healthy = setTimeout(() => {
            lost = 0;
          }, intervalMs);
          work = work.then(subscribe);
        },
        subscribed: onReady,
        replay_complete() {},
        event(event) {
          const descriptor = known.resource.events.find(({ name }) => name === event.event_type);
          if (descriptor === undefined) return leave(4500, { isDoubtful: true });
          if (seen.has(event.event_id)) return;
          seen.add(event.event_id);
          work = work.then(() => apply(event, descriptor.state_transition === 'delete')).catch(onError);
        },
        error({ code, retryable, retry_after_ms: serverMs, subscription_id: id }) {
          if (code.startsWith('cursor_')) work = work.then(readAll).then(subscribe).catch(onError);
          else if (!retryable || code === 'authentication_failed') onError({ code });
          else if (id === undefined) leave(4500, { serverMs });
          else void pause(1, serverMs).then(subscribe);
        },
        go_away: ({ reconnect_after_ms: serverMs, gateway_url: gateway }) =>
          resolve({ serverMs, gateway, leave }),
        ping: ({ id }) => send({ type: 'pong', id }),
        pong({ id }) {
          if (id !== awaited) return;
          awaited = undefined;
          listen();
        },
      };

      socket.addEventListener('open', () => send({ type: 'authenticate', method: 'shared_token', token }));
      socket.addEventListener('close', () => leave());
      socket.addEventListener('message', ({ data }) => {
        const message = parse(data);
        if (message === undefined) return leave(4400);
        if (awaited === undefined) listen();
        take[message.type](message);
      });
    });
  }

  /** A message that a server may send; an error has a code that discovery declares, if it declares any. */
  function parse(text) {
    try {
      const message = JSON.parse(text);
      if (!isClosed(message, message.type)) return undefined;
      const declared = known.document.errors?.websocket.map(({ code }) => code);
      const isDeclared = message.type !== 'error' || (declared?.includes(message.code) ?? true);
      return isDeclared ? message : undefined;
    } catch {
      return undefined;
    }
  }

  /** Credentials go to the host of discovery alone. */
  function gatewayUrl(wanted) {
    const isTrusted = (text) => text !== undefined && new URL(text).hostname === new URL(url).hostname;
    const found = [wanted, known.document.endpoints.websocket].find(isTrusted);
    if (found === undefined) throw failure('untrusted_url');
    return found;
  }

  try {
    await discover();
    if (state?.definition === definition()) await tell(state.records, state.cursor);
    else await readAll();
    setInterval(() => void discover().catch(() => {}), timing().discovery_refresh_after_ms);
    for (let next = {}; ; ) {
      const old = next;
      next = await connect(gatewayUrl(old.gateway), () => old.leave?.(1000));
      lost += 1;
      const isDoubtful = next.isDoubtful || next.gateway !== undefined || lost % 3 === 0;
      if (isDoubtful) await discover().catch(() => {});
      await pause(lost, next.serverMs);
    }
  } catch (error) {
    onError(error);
  }
}
