import { ForeignServer } from 'test-support/foreign/foreign-server';
import type { ForeignStyle } from 'test-support/foreign/foreign-style';
import { goStyle } from 'test-support/foreign/go-style';
import { ledgerStyle } from 'test-support/foreign/ledger-style';
import { expect, test } from 'vitest';
import { runConformance, type Target, toReport } from '../src/index.ts';

async function report(
  style: ForeignStyle,
  options: Partial<Target> = {},
  change?: (server: ForeignServer) => void,
) {
  await using server = await ForeignServer.start(style);
  const [token, secondToken] = server.tokens;
  const timer = change && setInterval(() => change(server), 20);
  try {
    return toReport(
      await runConformance({ url: server.url, token, secondToken, level: 'follows', ...options }),
    );
  } finally {
    clearInterval(timer);
  }
}

interface Case {
  readonly style: ForeignStyle;
  /** Requirements that are read in two ways, with what is said of this one. */
  readonly notes: Readonly<Record<string, string>>;
}

const NO_FILTERS = 'There are no filters, and each is answered with invalid-filter.';

const CASES: readonly Case[] = [
  {
    style: goStyle,
    notes: {
      'json.query.limit': 'An empty limit counts as none.',
      'filter.advertised-only': NO_FILTERS,
      'err.http.type.unsupported-filter': NO_FILTERS,
      'err.http.undeclared-never-sent':
        'There are no filters, and invalid-filter, which answers them, is not declared.',
      'decided.id': 'Records of sms-messages have their id at /deviceId.',
    },
  },
  {
    style: ledgerStyle,
    notes: {
      'json.query.limit': 'An empty limit counts as none.',
      'decided.id': 'Records of entries have their id at /number.',
    },
  },
];

test.concurrent.for(CASES)(
  '$style.name breaks nothing; what it reads otherwise is noted',
  async ({ style, notes }, { expect }) => {
    const { requirements, release, levels, unseen, checks } = await report(style);
    expect(release).toBe(style.release);
    expect(checks.flatMap(({ error }) => error ?? [])).toEqual([]);
    const broken = requirements.filter(({ status }) => status === 'fail' || status === 'error');
    expect(broken.map(({ id, failures }) => [id, failures[0]?.expected, failures[0]?.got])).toEqual([]);
    for (const [id, note] of Object.entries(notes)) {
      expect(requirements.find((requirement) => requirement.id === id)?.notes).toContain(note);
    }
    const found = requirements.find(({ id }) => id === 'json.item.record');
    expect(found).toMatchObject({ status: 'pass' });
    expect(levels).toEqual({ speaks: 'kept', reads: 'kept', follows: 'partly', survives: 'none' });
    expect(unseen).toEqual({
      speaks: [],
      reads: [],
      follows: ['ws.message.event', 'ws.at-least-once'],
      survives: [],
    });
  },
);

test.concurrent('changes that happen while it watches are seen', async ({ expect }) => {
  let size = 0;
  const { unseen } = await report(ledgerStyle, { observeMs: 500, only: ['follows'] }, (server) => {
    size += 1;
    server.put('entries', { number: 1_000 + (size % 7), page: 1, amount: size });
    server.put('books', { id: (size % 7) + 1, title: `t${size}`, tags: [] });
  });
  expect(unseen.follows).toEqual([]);
});

test('a limit that is none, and a filter of a server that has some, are judged as before', async () => {
  const wrong: ForeignStyle = { ...goStyle, filterOperators: ['eq'] };
  const { requirements } = await report(wrong, { only: ['speaks.problems', 'speaks.queries'] });
  expect(requirements.filter(({ status }) => status === 'fail').map(({ id }) => id)).toEqual(
    expect.arrayContaining(['err.http.undeclared-never-sent']),
  );
});
