import { askTime } from './ask-time.ts';
import { type Finding, ok, warning } from './finding.ts';

/** Tokens and cursors are valid for minutes, so a smaller difference between the clocks does no harm. */
const MAX_SKEW_MS = 30_000;

/** Compares the clock of this machine with the server's; where they differ, a third one is asked which of them is right. */
export async function checkClock({ headers }: Response, timeServer: string): Promise<Finding[]> {
  const serverMs = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(serverMs)) return [];
  const ownMs = Date.now();
  // The header has whole seconds, and the answer took some time.
  if (Math.abs(ownMs - serverMs) <= MAX_SKEW_MS) return [ok('clock', 'The clocks of both sides agree.')];
  const both = `The clock of this machine says ${inWords(ownMs)}, the server's ${inWords(serverMs)}`;
  const thirdMs = await askTime(timeServer);
  const isOwnRight = Math.abs((thirdMs ?? Number.NaN) - ownMs) <= MAX_SKEW_MS;
  const isServerRight = Math.abs((thirdMs ?? Number.NaN) - serverMs) <= MAX_SKEW_MS;
  const why = 'access tokens are judged by the time, and certificates too.';
  if (isOwnRight)
    return [
      warning(
        'clock',
        `${both}; ${timeServer} agrees with this machine.`,
        `Tell whoever runs the server: ${why}`,
      ),
    ];
  if (isServerRight)
    return [
      warning('clock', `${both}; ${timeServer} agrees with the server.`, `Set this machine's by NTP: ${why}`),
    ];
  const third =
    thirdMs === undefined
      ? `${timeServer} does not answer, so which of them is right is not known`
      : `${timeServer} says ${inWords(thirdMs)}`;
  return [warning('clock', `${both}; ${third}.`, `Compare both with a clock that you trust: ${why}`)];
}

const inWords = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+/, '');
