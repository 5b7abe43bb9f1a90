import { createMenuService, openOperators } from 'menu-client';
import { lunchMessage } from './lunch-message.ts';

const { RESTAURANT = '강남', WEBHOOK_URL = '' } = process.env;

await using service = createMenuService({ operators: openOperators(process.env) });
const text = await lunchMessage(service, RESTAURANT, Date.now());
const response = await fetch(WEBHOOK_URL, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ text }),
});
if (!response.ok) throw new Error(`The webhook answered ${response.status}: ${await response.text()}`);
