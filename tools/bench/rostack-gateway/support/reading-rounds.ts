import type { BenchGateway } from '../../support/gateway/bench-gateway.ts';
import { median, ratiosOf, spreadOf } from '../../support/numbers.ts';
import { cpuUsOf } from '../../support/processes.ts';
import { report } from '../../support/report.ts';
import type { Reading } from './run-reader.ts';

/** What a client of a gateway and a bare peer took to read the same rows, one after the other. */
export interface ReadingRound {
  readonly ours: Reading;
  readonly gatewayCpuMs: number;
  readonly peer: Reading;
}

/** @throws Error unless both have read this many rows */
export async function readingRound(
  gateway: BenchGateway,
  rows: number,
  read: { readonly ours: () => Promise<Reading>; readonly peer: () => Promise<Reading> },
): Promise<ReadingRound> {
  const beforeUs = await cpuUsOf(gateway.pid);
  const ours = await read.ours();
  const gatewayCpuMs = ((await cpuUsOf(gateway.pid)) - beforeUs) / 1_000;
  const peer = await read.peer();
  for (const { rows: found } of [ours, peer])
    if (found !== rows) throw new Error(`${found} rows came of ${rows}`);
  return { ours, gatewayCpuMs, peer };
}

const perSecond = ({ rows, elapsedMs }: Reading): number => (rows / elapsedMs) * 1_000;

/** Reports the rate by the clock relative to the peer's. */
export function reportReading(bench: string, rounds: readonly ReadingRound[], bar: number): void {
  const middle = (of: (round: ReadingRound) => number): number => median(rounds.map(of));
  const us = (of: (round: ReadingRound) => number): string =>
    middle((round) => (of(round) * 1_000) / round.ours.rows).toFixed(2);
  const [rates, peerRates] = [
    rounds.map(({ ours }) => perSecond(ours)),
    rounds.map(({ peer }) => perSecond(peer)),
  ];
  const ratios = ratiosOf(rates, peerRates);
  const figures = {
    perSecond: Math.round(median(rates)),
    peerPerSecond: Math.round(median(peerRates)),
  };
  report(bench, {
    ratio: median(ratios),
    bar,
    want: 'at least',
    figures,
    note: `${figures.perSecond}/s of ${rounds[0]?.ours.rows}, peer ${figures.peerPerSecond}; rounds ${spreadOf(ratios)}; us of the processor for each: client ${us(({ ours }) => ours.cpuMs)}, gateway ${us(({ gatewayCpuMs }) => gatewayCpuMs)}, peer ${us(({ peer }) => peer.cpuMs)}; resident ${Math.round(middle(({ ours }) => ours.residentMiB))} MiB, peer ${Math.round(middle(({ peer }) => peer.residentMiB))}`,
  });
}
