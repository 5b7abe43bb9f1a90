import { parseClientMessage } from 'rostack-core';
import { report } from '../support/report.ts';
import { timeStrategies } from '../support/rounds.ts';

const MESSAGES = {
  ping: { type: 'ping', id: '01JCQ8Z5M3' },
  unsubscribe: { type: 'unsubscribe', subscription_id: 'stations-near-me' },
  authenticate: { type: 'authenticate', method: 'shared_token', token: 'q7Jw0k2m9V4x8s1Zp3Lr6Tn5Yb0Hd2Gf' },
  'subscribe without a filter': {
    type: 'subscribe',
    subscription_id: 'stations-near-me',
    resource: 'stations',
    event_types: ['station.created', 'station.changed'],
    cursor: '1.QkFTRTY0VVJMVEFH.8f14e45fceea167a.1048576',
    event_encoding: 'compact-json',
  },
  'subscribe with a filter': {
    type: 'subscribe',
    subscription_id: 'stations-near-me',
    resource: 'stations',
    event_types: ['station.created', 'station.changed'],
    filter: {
      '/status': { eq: 'active' },
      '/level': { gte: 20, lt: 70 },
      $or: [{ '/region': { in: ['kr', 'jp', 'us'] } }, { '/kind': { eq: 'rain' } }],
    },
    cursor: '1.QkFTRTY0VVJMVEFH.8f14e45fceea167a.1048576',
    event_encoding: 'json',
  },
};

const REPEATS = 2_000;

console.log('client messages: parse and validate against JSON.parse alone');
for (const [name, message] of Object.entries(MESSAGES)) {
  // Different text each time, because engines cache the result of parsing the same string.
  const texts = Array.from({ length: REPEATS }, (_, index) =>
    JSON.stringify(message).replace(/(stations-near-me|01JCQ8Z5M3|q7Jw0k2m9V4)/, `$1${index}`),
  );
  const countWith = (parse: (text: string) => unknown): number => {
    let types = 0;
    for (const text of texts) types += (parse(text) as { readonly type: string }).type.length;
    return types;
  };
  const { medians, spread } = await timeStrategies({
    jsonParse: { work: () => countWith(JSON.parse), times: 5 },
    parseClientMessage: { work: () => countWith(parseClientMessage), times: 5 },
  });
  const microseconds = (ms: number): string => ((ms * 1_000) / REPEATS).toFixed(2);
  console.log(
    `  ${name}: JSON.parse ${microseconds(medians.jsonParse)} us, parseClientMessage ${microseconds(medians.parseClientMessage)} us, noise ${(spread * 100).toFixed(0)} %`,
  );
  report(`rostack-core/client-message-${name.replaceAll(' ', '-')}`, {
    ratio: medians.parseClientMessage / medians.jsonParse,
    bar: 3,
    want: 'at most',
  });
}
