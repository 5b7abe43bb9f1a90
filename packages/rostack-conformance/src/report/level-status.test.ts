import { expect, test } from 'vitest';
import type { Level } from '../check/level.ts';
import type { Status, Verdict } from '../run/verdict.ts';
import { levelStatuses } from './level-status.ts';

const CHECKS: Readonly<Record<string, Level>> = {
  'speaks.a': 'speaks',
  'reads.a': 'reads',
  'follows.a': 'follows',
};

const results = Object.entries(CHECKS).map(([name, level]) => ({
  check: { name, level, requirements: [] },
  findings: [],
  durationMs: 0,
  requests: 0,
}));

const verdict = (id: string, check: string, status: Status, reason?: string): Verdict => ({
  requirement: { id, level: 'must', section: '1', text: id, party: 'server' } as Verdict['requirement'],
  status,
  judgedBy: status === 'skip' ? [] : [check],
  failures: [],
  notes: [],
  reason,
});

const WHOLE: readonly Verdict[] = [
  verdict('discovery.path', 'speaks.a', 'pass'),
  verdict('json.item.record', 'reads.a', 'pass'),
  verdict('ws.at-least-once', 'follows.a', 'pass'),
  verdict('ws.message.event', 'follows.a', 'note'),
];

const levelsOf = (...others: readonly Verdict[]) => {
  const ids = new Set(others.map(({ requirement }) => requirement.id));
  const verdicts = [...WHOLE.filter(({ requirement }) => !ids.has(requirement.id)), ...others];
  const { levels, unseen } = levelStatuses({ results, verdicts });
  return [levels.speaks, levels.reads, levels.follows, levels.survives, Object.values(unseen).flat().join()];
};

test('a level whose core was seen is kept', () => {
  expect(levelsOf()).toEqual(['kept', 'kept', 'kept', 'none', '']);
});

test('a level is kept partly while something of its core was not looked at, and so are those after it', () => {
  const unwatched = verdict('ws.at-least-once', '', 'skip', 'no driver');
  expect(levelsOf(unwatched)).toEqual(['kept', 'kept', 'partly', 'none', 'ws.at-least-once']);
  const empty = verdict('json.item.record', '', 'skip', 'no data');
  const pages = verdict('json.page.snapshot', 'reads.a', 'pass');
  expect(levelsOf(pages, empty)).toEqual(['kept', 'partly', 'partly', 'none', 'json.item.record']);
});

test('what a target does not claim need not be seen', () => {
  const unclaimed = verdict('ws.message.event', '', 'skip', 'not claimed: no events');
  expect(levelsOf(unclaimed)).toEqual(['kept', 'kept', 'kept', 'none', '']);
});

test('what is broken stays broken, whatever was not seen', () => {
  const broken = verdict('discovery.path', 'speaks.a', 'fail');
  const unwatched = verdict('ws.at-least-once', '', 'skip', 'no driver');
  expect(levelsOf(broken, unwatched)).toEqual(['broken', 'broken', 'broken', 'none', 'ws.at-least-once']);
});
