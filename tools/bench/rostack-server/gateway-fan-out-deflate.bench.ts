/**
 * 1,000 subscribers of one resource, events of about 1 KB, each frame with its own subscription id: deliveries per second
 * of the gateway with permessage-deflate against the gateway without it, and against `ws`, which compresses one ready
 * text for each socket, with windows kept, as it does unless told otherwise, and not kept. Counted per second of processor
 * time of the whole process, with the threads in which `ws` compresses and without the thread of the clients. One by one:
 * each event is written to the store and delivered in a turn of its own. At saturation: events come as fast as the store
 * takes them. The text of the events is readings in lines; prose, which deflates less, is printed too.
 */
import type { PerMessageDeflateOptions } from 'ws';
import { median, ratiosOf, spreadOf } from '../support/numbers.ts';
import { report } from '../support/report.ts';
import { runRounds } from '../support/rounds.ts';
import { FrameSinks } from '../support/sockets/frame-sinks.ts';
import {
  type Contender,
  gatewayContender,
  oneByOne,
  SUBSCRIBERS,
  wsContender,
} from './support/contenders.ts';
import { point } from './support/served-points.ts';

/** In a round. */
const WS_EVENTS = 10;
const GATEWAY_EVENTS = 100;
const ROUNDS = 5;
const OFFER = 'permessage-deflate; client_max_window_bits';
const PROSE =
  'The gauge at the upper bridge was read twice this morning, since the first reading differed from that of the station below it by more than the usual margin. Both observers report clear water, little wind and no ice; the sluice was opened for an hour before noon, which explains the sudden drop that the automatic log shows. Nothing else was found to be wrong. The next visit is planned for Thursday, when the float will be cleaned, its cable replaced and the scale painted again. Until then, readings below forty centimetres should be taken with some care. Whoever needs the older ones may ask the office for the paper books, which go back to 1926.';

/** Eleven lines with other numbers in each event. */
function readings(value: number): string {
  const lines = Array.from({ length: 11 }, (_, index) => {
    const seed = (value * 31 + index) * 7_919;
    const minute = String((index * 5) % 60).padStart(2, '0');
    return `2026-11-23T08:${minute}:00Z level ${seed % 400} cm, flow ${(seed % 9_973) / 100} m3/s, checked`;
  });
  return lines.join('; ');
}

/** `ws` with a text that is as long as the gateway's messages. */
const wsDeflating = (options: PerMessageDeflateOptions, bytes: number): Promise<Contender> => {
  const textOf = (value: number) =>
    JSON.stringify(point('p', value, readings(value))).padEnd(bytes, readings(value + 1));
  return wsContender((value) => Buffer.from(textOf(value)), { threshold: 0, ...options });
};

interface Delivered {
  readonly perSecond: number;
  readonly frameBytes: number;
}

async function measure(id: number, events: number, deliver: () => Promise<void> | void): Promise<Delivered> {
  const frames = SUBSCRIBERS * events;
  const received = sinks.receive(id, frames);
  const clientsBeforeUs = await sinks.processorTimeUs();
  const started = process.cpuUsage();
  await deliver();
  const bytes = await received;
  const { user, system } = process.cpuUsage(started);
  const clientsUs = (await sinks.processorTimeUs()) - clientsBeforeUs;
  return { perSecond: (frames * 1_000_000) / (user + system - clientsUs), frameBytes: bytes / frames };
}

await using plain = await gatewayContender(readings);
await using deflated = await gatewayContender(readings, true);
// After the gateways, which wait for their clients when they close.
await using sinks = new FrameSinks();
const open = ({ plan }: Contender) => sinks.open({ ...plan, extensions: OFFER });
const [plainId, deflatedId] = [await open(plain), await open(deflated)];
const prose = ({ gateway }: typeof plain) => gateway.put(point('p', 0, PROSE));
const { frameBytes: plainBytes } = await measure(plainId, 1, () => plain.one());
const { frameBytes: deflatedBytes } = await measure(deflatedId, 1, () => deflated.one());
const { frameBytes: plainProseBytes } = await measure(plainId, 1, () => prose(plain));
const { frameBytes: deflatedProseBytes } = await measure(deflatedId, 1, () => prose(deflated));

await using wsKeeping = await wsDeflating({}, Math.round(plainBytes));
await using wsResetting = await wsDeflating({ serverNoContextTakeover: true }, Math.round(plainBytes));
/** How many events are delivered in a round: as many as take it long enough to be measured. */
const contenders: readonly (readonly [name: string, contender: Contender, id: number, events: number])[] = [
  ['gateway', plain, plainId, GATEWAY_EVENTS],
  ['gateway, deflated', deflated, deflatedId, GATEWAY_EVENTS],
  ['ws, windows kept', wsKeeping, await open(wsKeeping), WS_EVENTS],
  ['ws, windows not kept', wsResetting, await open(wsResetting), WS_EVENTS],
];
const manyAtOnce = async ({ one, many }: Contender, events: number) => {
  if (many !== undefined) await many(events);
  else for (let sent = 0; sent < events; sent += 1) await one();
};
const works = contenders.flatMap(([name, contender, id, events]) => [
  [name, () => measure(id, events, () => oneByOne(contender, events))] as const,
  [`${name}, at saturation`, () => measure(id, events, () => manyAtOnce(contender, events))] as const,
]);
const rounds = await runRounds(Object.fromEntries(works), { rounds: ROUNDS });
const ratesOf = (name: string): readonly number[] => (rounds[name] ?? []).map(({ perSecond }) => perSecond);

console.log(`frames of ${plainBytes} bytes, deflated ${deflatedBytes}, to ${SUBSCRIBERS} subscribers`);
console.log(`of prose: ${plainProseBytes} bytes, deflated ${deflatedProseBytes}`);
for (const name of Object.keys(rounds)) {
  const rates = ratesOf(name);
  console.log(
    `${name}: ${Math.round(median(rates))} deliveries per second of processor time (${spreadOf(rates, 0)})`,
  );
}

function compare(bench: string, ours: string, peer: string, bar: number): void {
  const ratios = ratiosOf(ratesOf(ours), ratesOf(peer));
  report(bench, { ratio: median(ratios), bar, want: 'at least', note: `rounds ${spreadOf(ratios)}` });
}

for (const mode of ['', ', at saturation']) {
  const name = `rostack-server/gateway-fan-out-deflate${mode === '' ? '' : '-at-saturation'}`;
  const ours = `gateway, deflated${mode}`;
  compare(`${name}-against-plain`, ours, `gateway${mode}`, 0.7);
  compare(`${name}-against-ws`, ours, `ws, windows kept${mode}`, 10);
}
report('rostack-server/gateway-fan-out-deflate-bytes', {
  ratio: deflatedBytes / plainBytes,
  bar: 0.45,
  want: 'at most',
  note: `prose ${(deflatedProseBytes / plainProseBytes).toFixed(3)}`,
});
