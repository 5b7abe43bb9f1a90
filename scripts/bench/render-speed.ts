import type { HistoryLine } from './history.ts';
import { range } from './latest.ts';
import { renderPeers } from './render-peers.ts';
import { table } from './table.ts';

/** The document that has the tables of speeds, between its two marks. */
export const COMPARISON = 'docs/compare.md';

const BEGIN = '<!-- from benchmarks.jsonl -->\n\n';
const END = '\n<!-- until here -->';

/** `document` with the tables as the history says. */
export function withSpeeds(document: string, history: readonly HistoryLine[]): string {
  const [before, after] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`${COMPARISON} has no marks around its tables of speeds`);
  return (
    document.slice(0, before + BEGIN.length) +
    renderSpeeds(history) +
    renderPeers(history) +
    document.slice(after)
  );
}

/** What has been measured of the present code, on all machines. */
function renderSpeeds(history: readonly HistoryLine[]): string {
  const present = history.filter(({ before }) => before === undefined);
  const seen = (benchmarks: RegExp, name: string): string => {
    const figures = present
      .filter(({ benchmark }) => benchmarks.test(benchmark))
      .flatMap((line) => range(line.figures, name));
    const [least, most] = [Math.min(...figures), Math.max(...figures)].map((figure) =>
      figure.toLocaleString('en', { maximumSignificantDigits: 3 }),
    );
    return least === most ? `${least}` : `${least} to ${most}`;
  };
  return table([
    ['what', 'figure'],
    [
      'a first sync of 1,000,000 records',
      `${seen(/\/first-sync-million/, 'perSecond')} records a second, ${seen(/\/first-sync-million/, 'ratio')} of \`COPY\``,
    ],
    ['catching up from the log', `${seen(/\/catch-up-million/, 'perSecond')} changes a second`],
    ['deliveries to followers, one worker', `${seen(/\/gateway-workers\/fan-out$/, 'perSecond')} a second`],
    [
      '1,000 followers that come back after a minute of 1,000 changes a second',
      `${seen(/\/followers-return\/.+\/one-station\//, 's')} s; those that stayed wait ${seen(/\/followers-return\/.+\/one-station\//, 'ms')} ms (p99)`,
    ],
    [
      'memory of an idle connection with a subscription',
      `${seen(/\/idle-workers\/bytes-with-a-subscription$/, 'bytes')} bytes`,
    ],
  ]);
}
