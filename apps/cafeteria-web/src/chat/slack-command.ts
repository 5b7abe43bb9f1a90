import { createHmac, timingSafeEqual } from 'node:crypto';
import { choicesOf } from 'menu-client';
import { shortPath } from '../domain/restaurant-path.ts';
import { namesOf, type PageContext } from '../render/page-context.ts';
import { menuPhotoUrl } from '../render/photo-path.ts';
import { plainLine } from '../render/plain-text.ts';
import type { ChatAnswer } from './chat-answer.ts';
import { chatNote, chatTitle, choiceFacts, cut, shortNames } from './chat-text.ts';

const MAX_AGE_SECONDS = 300;
const MAX_MENUS = 10;

/**
 * True for a request that Slack signed with the secret within the last five minutes.
 *
 * @see https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export function isSignedBySlack(
  secret: string,
  request: {
    readonly timestamp: string | undefined;
    readonly signature: string | undefined;
    readonly body: string;
  },
  nowMs: number,
): boolean {
  const { timestamp = '', signature = '', body } = request;
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > MAX_AGE_SECONDS) return false;
  const expected = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
  const [given, own] = [Buffer.from(signature), Buffer.from(expected)];
  return given.length === own.length && timingSafeEqual(given, own);
}

/** A text that may hold an operator's, escaped for Slack's markup: nothing in it mentions, links or formats. */
function slackText(text: string): string {
  return plainLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[*_~`]/g, (mark) => `\u200b${mark}`);
}

/** The answer of a slash command, which only the person who asked sees. */
export function slackAnswer(page: PageContext, answer: ChatAnswer): object {
  const note = chatNote(page, answer);
  const section = (text: string, more: object = {}) => ({
    type: 'section',
    text: { type: 'mrkdwn', text },
    ...more,
  });
  if (answer.kind !== 'day') return { response_type: 'ephemeral', text: note };
  const { restaurant, date, period, others } = answer;
  const title = chatTitle(page, answer);
  const names = shortNames(page, [restaurant, ...others]);
  const url = page.origin + shortPath(restaurant, date);
  const choices = choicesOf(period?.menus ?? []);
  const rest = choices.length - MAX_MENUS;
  const menus = choices.slice(0, MAX_MENUS).map((choice) => {
    const name = plainLine(namesOf(page, choice).primary);
    const facts = choiceFacts(page.text, choice).map(slackText);
    const photo = menuPhotoUrl(page, restaurant, date, choice.menu);
    const image = { type: 'image', image_url: photo, alt_text: name };
    return section(
      [`*${slackText(name)}*`, ...facts].join('\n'),
      photo === undefined ? {} : { accessory: image },
    );
  });
  const foot = [
    `<${url}|${page.text.seeDay}>`,
    ...(rest > 0 ? [page.text.chat.more(rest)] : []),
    ...others.map(
      (other) => `<${page.origin}${shortPath(other, date)}|${slackText(names.get(other.id) ?? other.id)}>`,
    ),
    page.text.allergens,
    ...(page.sampleData ? [page.text.sampleData] : []),
  ];
  return {
    response_type: 'ephemeral',
    text: title,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cut(title, 150) } },
      ...(note === '' ? [] : [section(slackText(note))]),
      ...menus,
      { type: 'context', elements: foot.map((text) => ({ type: 'mrkdwn', text })) },
    ],
  };
}
