import { choicesOf } from 'menu-client';
import { z } from 'zod';
import { shortPath } from '../domain/restaurant-path.ts';
import { mealLabel, namesOf, type PageContext } from '../render/page-context.ts';
import { menuPhotoUrl } from '../render/photo-path.ts';
import { plainLine } from '../render/plain-text.ts';
import type { ChatAnswer } from './chat-answer.ts';
import { chatNote, chatTitle, choiceFacts, cut, shortNames } from './chat-text.ts';

/** The only part of a skill's payload that is read; it does not identify the person. */
export const KakaoPayload = z.object({ userRequest: z.object({ utterance: z.string().max(1_000) }) });

const MAX_CARDS = 10;
const MAX_QUICK_REPLIES = 10;
const MAX_TITLE = 50;
const MAX_DESCRIPTION = 76;

interface QuickReply {
  readonly label: string;
  readonly action: 'message';
  readonly messageText: string;
}
const reply = (label: string, messageText: string): QuickReply => ({
  label: cut(label, 14),
  action: 'message',
  messageText: cut(messageText, 100),
});

/** What is taken out, other meals of the day, tomorrow or the next day with menus, and other restaurants that match. */
function quickReplies(page: PageContext, answer: Extract<ChatAnswer, { kind: 'day' }>): QuickReply[] {
  const { restaurant, date, period, takeout, periods, next, others } = answer;
  const { text } = page;
  const day = date === page.today ? '' : ` ${date}`;
  const meals = periods
    .filter(
      ({ code, status }) => code !== period?.code && status !== 'empty' && text.meals[code] !== undefined,
    )
    .map((each) => reply(mealLabel(page, each), `${restaurant.id}${day} ${text.meals[each.code]}`));
  const packed =
    period === undefined || takeout || !period.menus.some(({ serving }) => serving === 'take-out')
      ? []
      : [reply(text.takeout, `${restaurant.id}${day} ${text.meals[period.code] ?? ''} ${text.takeout}`)];
  const tomorrow = date === page.today ? [reply(text.tomorrow, `${restaurant.id} ${text.tomorrow}`)] : [];
  const later = next === undefined ? [] : [reply(text.date(next), `${restaurant.id} ${next}`)];
  const names = shortNames(page, [restaurant, ...others]);
  const elsewhere = others.map((other) => reply(names.get(other.id) ?? other.id, `${other.id}${day}`));
  return [...packed, ...meals, ...later, ...(next === undefined ? tomorrow : []), ...elsewhere].slice(
    0,
    MAX_QUICK_REPLIES,
  );
}

/**
 * The answer of a KakaoTalk skill: a carousel of the menus of one meal.
 *
 * @see https://kakaobusiness.gitbook.io/main/tool/chatbot/skill_guide/answer_json_format
 */
export function kakaoAnswer(page: PageContext, answer: ChatAnswer): object {
  const note = chatNote(page, answer);
  const say = (text: string) => ({ simpleText: { text: cut(text, 1_000) } });
  const template = (outputs: object[], replies: QuickReply[] = []): object => ({
    version: '2.0',
    template: { outputs, ...(replies.length === 0 ? {} : { quickReplies: replies }) },
  });
  if (answer.kind !== 'day') return template([say(note)]);
  const { restaurant, date, period } = answer;
  const replies = quickReplies(page, answer);
  const url = page.origin + shortPath(restaurant, date);
  const title = chatTitle(page, answer);
  const choices = choicesOf(period?.menus ?? []);
  const rest = choices.length - MAX_CARDS;
  const sample = page.sampleData ? [page.text.sampleData] : [];
  const head = [title, note, ...(rest > 0 ? [page.text.chat.more(rest)] : []), ...sample].filter(
    (line) => line !== '',
  );
  if (choices.length === 0) return template([say([...head, url].join('\n'))], replies);
  const items = choices.slice(0, MAX_CARDS).map((choice) => ({
    title: cut(plainLine(namesOf(page, choice).primary), MAX_TITLE),
    description: cut(choiceFacts(page.text, choice).join('\n'), MAX_DESCRIPTION),
    thumbnail: {
      imageUrl:
        menuPhotoUrl(page, restaurant, date, choice.menu) ?? page.origin + page.assetUrl('icon-512.png'),
    },
    buttons: [{ action: 'webLink', label: cut(page.text.seeDay, 14), webLinkUrl: url }],
  }));
  return template([say(head.join('\n')), { carousel: { type: 'basicCard', items } }], replies);
}
