import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { createMenuService, openOperators, systemClock } from 'menu-client';
import { startSandbox } from 'menu-sandbox';
import { lunchMessage } from '../src/lunch-message.ts';

const WORKDAY = '2026-11-18';
const startMs = Date.parse(`${WORKDAY}T03:00:00Z`) - performance.now();
const clock = { ...systemClock, nowMs: () => startMs + performance.now() };

test('the message has what the kitchen planned, or says that it could not be read', async () => {
  await using sandbox = await startSandbox();
  await using service = createMenuService({ clock, operators: openOperators(sandbox.environment) });
  const { restaurants } = await service.search('강남');
  const [restaurant, other] = restaurants;
  assert(restaurant && other);
  const text = await lunchMessage(service, '강남', clock.nowMs());
  assert.equal(text.split('\n')[0], `${restaurant.name}, ${WORKDAY}`);
  const meals = sandbox.plan(restaurant.vendor, restaurant.id, WORKDAY);
  const courses = meals.find(({ meal }) => meal.code === '2')?.courses ?? [];
  assert(courses.length > 3);
  for (const { dishes } of courses)
    assert(text.includes(`- ${dishes[0]?.name}`), `${dishes[0]?.name}: ${text}`);

  sandbox.setFaults([{ fault: 'forbidden', path: '/api/meal' }]);
  assert.match(await lunchMessage(service, other.id, clock.nowMs()), /could not be read/);
});

test('the bot posts it to the webhook', async () => {
  await using sandbox = await startSandbox();
  await using webhook = createServer().listen(0, 'localhost');
  await once(webhook, 'listening');
  const { port } = webhook.address() as { port: number };
  const bot = spawn(process.execPath, ['src/main.ts'], {
    stdio: 'inherit',
    env: { ...process.env, ...sandbox.environment, WEBHOOK_URL: `http://localhost:${port}` },
  });
  const ended = once(bot, 'exit');
  const [request, response] = await once(webhook, 'request');
  const { text } = (await json(request)) as { text: string };
  response.end();
  assert.match(text, /^.+, \d{4}-\d{2}-\d{2}\n/);
  assert.deepEqual(await ended, [0, null]);
});
