import { expect, test } from 'vitest';
import { CHECKS, WATCHES } from '../src/checks/checks.ts';
import { checks, readRequirements } from '../src/index.ts';
import { ReferenceServer } from './reference/reference-server.ts';

test('checks of a target run alone in any test runner', async () => {
  await using reference = await ReferenceServer.start();
  const found = checks({ ...reference.target, only: ['speaks.discovery'] });
  expect(found.map(({ name }) => name)).toEqual(['speaks.discovery.document', 'speaks.discovery.request']);
  for (const { run } of found.toReversed()) {
    const verdicts = await run();
    expect(verdicts.map(({ status }) => status)).toContain('pass');
  }
});

test('a check of a target that breaks something rejects, and says what', async () => {
  const mutant = {
    fails: ['discovery.caching'],
    answer: async (request: Request, answer: (request: Request) => Promise<Response>) =>
      request.method === 'DELETE' ? new Response('gone') : answer(request),
  };
  await using reference = await ReferenceServer.start({ mutant });
  const [check] = checks({ ...reference.target, only: ['speaks.discovery.request'] });
  await expect(check?.run()).rejects.toMatchObject({
    code: 'requirement_broken',
    message: expect.stringContaining('discovery.no-parameters: The request has no parameters'),
  });
});

test('names are unique, and begin with their level', () => {
  const all = [...CHECKS, ...WATCHES];
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  expect(all.filter(({ name, level }) => !name.startsWith(`${level}.`)).map(({ name }) => name)).toEqual([]);
});

test('the requirements of a release say which checks judge them', () => {
  const requirements = readRequirements('2026-08-13');
  expect(requirements.get('discovery.caching')).toMatchObject({
    level: 'should',
    party: 'server',
    checks: ['speaks.discovery.request'],
  });
});
