/** One fault of the plain client: a piece of its source and what stands there instead, and the requirements that fail. */
export interface ClientMutant {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly fails: readonly string[];
  /** What fails too, or does not: it depends on what comes first. */
  readonly mayFail?: readonly string[];
}

/** Each requirement that a client can be seen to break is broken by at least one. */
export const CLIENT_MUTANTS: readonly ClientMutant[] = [
  {
    name: 'loses an event',
    from: 'if (seen.has(event.event_id)) return;',
    to: 'if (seen.has(event.event_id) || event.data?.value === 20) return;',
    fails: ['client.events.applied'],
  },
  {
    name: 'takes every event, also those that come twice',
    from: 'if (seen.has(event.event_id)) return;',
    to: '',
    fails: ['ws.duplicates'],
  },
  {
    name: 'takes events of unknown types',
    from: 'if (descriptor === undefined) return leave(4500, { isDoubtful: true });',
    to: '',
    fails: ['client.events.unknown-type'],
  },
  {
    name: 'gives up when its cursor has expired',
    from: "if (code.startsWith('cursor_'))",
    to: "if (code === 'none')",
    fails: ['client.snapshot.whole'],
  },
  {
    name: 'shows the pages of a new snapshot one by one',
    from: 'if (!body.page.has_more)',
    to: 'await onChange(records); if (!body.page.has_more)',
    fails: ['client.snapshot.whole'],
  },
  {
    name: 'keeps its old cursor with a new snapshot',
    from: 'tell(records, body.page.event_cursor)',
    to: 'tell(records, state?.cursor ?? body.page.event_cursor)',
    fails: ['client.snapshot.whole', 'client.state.definition'],
  },
  {
    name: 'gives up when a chain of pages has expired',
    from: "if (error.code !== 'invalid-cursor') throw error;",
    to: 'throw error;',
    fails: ['client.snapshot.whole'],
  },
  {
    name: 'stores before the change is processed',
    from: 'await onChange(records, eventId);',
    to: 'store.save({ definition: definition(), cursor, records }); await onChange(records, eventId);',
    fails: ['client.state.after-processing'],
  },
  {
    name: 'goes on from the state of another definition',
    from: 'state?.definition === definition()',
    to: 'state',
    fails: ['client.state.definition'],
  },
  {
    name: 'always waits for the shortest time',
    from: 'const boundMs = Math.min(maxMs, minMs * 2 ** losses);',
    to: 'const boundMs = minMs;',
    fails: ['client.reconnect.backoff', 'client.reconnect.reset'],
  },
  {
    name: 'does not wait before it connects again',
    from: 'await pause(lost, next.serverMs);',
    to: '',
    fails: ['client.reconnect.backoff', 'client.reconnect.reset', 'client.reconnect.server-delay'],
  },
  {
    name: 'takes a connection for healthy at once',
    from: `healthy = setTimeout(() => {
            lost = 0;
          }, intervalMs);`,
    to: 'lost = 0;',
    fails: ['client.reconnect.reset'],
  },
  {
    name: 'does not wait as long as the server asks for',
    from: 'Math.max(serverMs, minMs',
    to: 'Math.max(0, minMs',
    fails: ['client.reconnect.server-delay'],
  },
  {
    name: 'subscribes without its cursor',
    from: ', cursor: state.cursor });',
    to: ' });',
    fails: ['client.reconnect.same', 'client.snapshot.whole', 'client.state.after-processing'],
    mayFail: ['client.reconnect.go-away'],
  },
  {
    name: 'subscribes under another id each time',
    from: "subscription_id: 'all'",
    to: 'subscription_id: String(Math.random())',
    fails: ['client.reconnect.same'],
  },
  {
    name: 'leaves a draining connection at once',
    from: 'resolve({ serverMs, gateway, leave })',
    to: 'leave(1000, { serverMs, gateway })',
    fails: ['client.reconnect.go-away'],
  },
  {
    name: 'does not go where it is told',
    from: 'resolve({ serverMs, gateway, leave })',
    to: 'resolve({ serverMs, leave })',
    fails: ['client.reconnect.go-away'],
  },
  {
    name: 'goes to any host with its credential',
    from: 'text !== undefined && new URL(text).hostname === new URL(url).hostname',
    to: 'text !== undefined',
    fails: ['auth.client-origin'],
  },
  {
    name: 'answers no ping',
    from: "send({ type: 'pong', id })",
    to: '{}',
    fails: ['client.heartbeat', 'ws.heartbeat.pong'],
  },
  {
    name: 'sends no ping',
    from: 'beat = setTimeout(ping, intervalMs);',
    to: '',
    fails: ['client.heartbeat', 'ws.heartbeat.ping'],
  },
  {
    name: 'takes any pong for its own',
    from: 'if (id !== awaited) return;',
    to: '',
    fails: ['client.heartbeat', 'ws.heartbeat.matching', 'ws.heartbeat.stale'],
  },
  {
    name: 'sends each ping with the same id',
    from: 'awaited = `ping-${pings}`;',
    to: "awaited = 'ping';",
    fails: ['ws.heartbeat.ping'],
  },
  {
    name: 'leaves a stale connection with another code',
    from: 'setTimeout(leave, timeoutMs, 4408)',
    to: 'setTimeout(leave, timeoutMs, 4000)',
    fails: ['ws.heartbeat.stale'],
  },
  {
    name: 'sends a member that ping does not have',
    from: "send({ type: 'ping', id: awaited })",
    to: "send({ type: 'ping', id: awaited, sent: 1 })",
    fails: ['ws.message.ping'],
  },
  {
    name: 'sends a member that pong does not have',
    from: "send({ type: 'pong', id })",
    to: "send({ type: 'pong', id, sent: 1 })",
    fails: ['ws.message.pong'],
  },
  {
    name: 'sends a member that subscribe does not have',
    from: "type: 'subscribe',",
    to: "type: 'subscribe', priority: 1,",
    fails: ['ws.message.subscribe'],
  },
  {
    name: 'sends a member that authenticate does not have',
    from: "type: 'authenticate',",
    to: "type: 'authenticate', agent: 'plain',",
    fails: ['ws.message.authenticate'],
  },
  {
    name: 'reads discovery once',
    from: 'setInterval(() => void discover().catch(() => {}), timing().discovery_refresh_after_ms);',
    to: '',
    fails: ['client.discovery.refresh-after'],
  },
  {
    name: 'does not revalidate',
    from: "known?.etag ? { 'if-none-match': known.etag } : {}",
    to: '{}',
    fails: ['client.discovery.revalidate'],
  },
  {
    name: 'does not read discovery after failures',
    from: ' || lost % 3 === 0',
    to: '',
    fails: ['client.discovery.failures'],
  },
  {
    name: 'does not read discovery on a go_away with a new URL',
    from: ' || next.gateway !== undefined',
    to: '',
    fails: ['client.discovery.go-away'],
  },
  {
    name: 'takes discovery with unknown members',
    from: "if (!isClosed(body, 'discovery')) throw failure('invalid_discovery');",
    to: '',
    fails: ['discovery.closed'],
  },
  {
    name: 'takes messages with unknown members',
    from: 'if (!isClosed(message, message.type)) return undefined;',
    to: 'if (MEMBERS[message.type] === undefined) return undefined;',
    fails: ['ws.closed'],
  },
  {
    name: 'ignores frames that it cannot read',
    from: `} catch {
      return undefined;`,
    to: `} catch {
      return { type: 'replay_complete' };`,
    fails: ['ws.frames', 'ws.messages.eleven'],
  },
  {
    name: 'ignores messages that only a server receives',
    from: 'const message = JSON.parse(text);',
    to: "const message = JSON.parse(text); if (message.type === 'subscribe') return { type: 'replay_complete' };",
    fails: ['ws.messages.eleven'],
  },
  {
    name: 'takes any error code of 2026-08-13',
    from: "message.type !== 'error' ||",
    to: 'true ||',
    fails: ['release.websocket-errors.closed'],
  },
  {
    name: 'subscribes again after every error',
    from: "else if (!retryable || code === 'authentication_failed')",
    to: "else if (code === 'authentication_failed')",
    fails: ['release.websocket-errors.open', 'client.errors.final'],
  },
  {
    name: 'does not know the older release',
    from: 'known.document.errors?.websocket',
    to: 'known.document.errors.websocket',
    fails: ['release.client', 'release.websocket-errors.open'],
  },
  {
    name: 'takes an unknown problem for one that passes',
    from: 'const mayPass = !body ||',
    to: "const mayPass = !body || !body.type.startsWith('https://spec.') ||",
    fails: ['release.problems.open'],
  },
  {
    name: 'follows at a gateway of another API version',
    from: 'if (version !== api().api_version) return leave(4500, { isDoubtful: true });',
    to: '',
    fails: ['version.api'],
  },
  {
    name: 'puts ids into URLs as they are',
    from: 'encodeURIComponent(id)',
    to: 'id',
    fails: ['json.item-url'],
  },
  {
    name: 'subscribes before it is authenticated',
    from: "socket.addEventListener('open', () =>",
    to: "socket.addEventListener('open', () => queueMicrotask(subscribe)); socket.addEventListener('open', () =>",
    fails: ['ws.auth.first'],
    // It subscribes twice, which comes between where something is counted.
    mayFail: [
      'client.errors.final',
      'client.reconnect.same',
      'client.reconnect.server-delay',
      'client.snapshot.whole',
      'release.websocket-errors.open',
      'version.api',
    ],
  },
  {
    name: 'does not offer the subprotocol',
    from: "new WebSocket(to, 'rostack.v1')",
    to: 'new WebSocket(to)',
    fails: ['ws.subprotocol'],
  },
  {
    name: 'sends its credential in a URL',
    from: "new WebSocket(to, 'rostack.v1')",
    to: "new WebSocket(`${to}?token=${token}`, 'rostack.v1')",
    fails: ['auth.client-places'],
  },
  {
    name: 'writes its credential into its log',
    from: 'let state = store.load();',
    to: 'let state = store.load(); console.error(authorization);',
    fails: ['auth.not-in-logs'],
  },
];
