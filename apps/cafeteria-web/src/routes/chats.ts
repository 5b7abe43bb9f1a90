import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { choicesOf, type MenuService } from 'menu-client';
import { NOT_KEPT } from '../answers/http/headers.ts';
import { problem } from '../answers/http/problem.ts';
import { answerChat, type ChatAnswer } from '../chat/chat-answer.ts';
import { KakaoPayload, kakaoAnswer } from '../chat/kakao-skill.ts';
import { isSignedBySlack, slackAnswer } from '../chat/slack-command.ts';
import type { PhotoProxy } from '../photos/photo-proxy.ts';
import type { PageContext } from '../render/page-context.ts';
import { PHOTO_WAIT_MS } from '../running/waits.ts';

const MAX_BODY_BYTES = 32_768;

/** Secrets of the chats; a chat without one is off. */
export interface ChatSecrets {
  /** Last part of the path of the KakaoTalk skill. */
  readonly kakaoSkill?: string;
  /** What Slack signs its requests with. */
  readonly slackSigning?: string;
}

interface Parts {
  readonly service: MenuService;
  readonly chats: ChatSecrets;
  /** What an answer is written with. */
  readonly feedPage: () => PageContext;
  readonly nowMs: () => number;
  readonly photos: Pick<PhotoProxy, 'lookFor'>;
}

/** More are not shown. */
const MAX_PHOTOS = 10;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The KakaoTalk skill and the Slack slash command: they read a question and store nothing of it. */
export function mountChats(app: Hono, { service, chats, feedPage, nowMs, photos }: Parts): void {
  /** The answer, once it is known which of its photos are there: a chat shows a broken picture, and keeps it. */
  const answerTo = async (question: string): Promise<ChatAnswer> => {
    const answer = await answerChat(service, question, nowMs());
    if (answer.kind !== 'day') return answer;
    const urls = choicesOf(answer.period?.menus ?? []).flatMap(({ menu }) => menu.photo?.url ?? []);
    await photos.lookFor(
      answer.restaurant.vendor,
      [...new Set(urls)].slice(0, MAX_PHOTOS),
      PHOTO_WAIT_MS.chat,
    );
    return answer;
  };
  const { kakaoSkill, slackSigning } = chats;
  const limit = bodyLimit({
    maxSize: MAX_BODY_BYTES,
    onError: (c) =>
      problem(c, { title: 'Too large', status: 413, detail: `Send at most ${MAX_BODY_BYTES} bytes.` }),
  });
  const refuse = (c: Context, status: number, title: string, detail: string): Response =>
    problem(c, { title, status, detail });

  if (kakaoSkill !== undefined) {
    const expected = digest(kakaoSkill);
    app.post('/kakao/skill/:secret', limit, async (c) => {
      if (!timingSafeEqual(digest(c.req.param('secret')), expected))
        return refuse(c, 404, 'Not found', 'Nothing is at this path.');
      const payload = KakaoPayload.safeParse(await c.req.json().catch(() => undefined));
      if (!payload.success)
        return refuse(
          c,
          400,
          'Invalid request',
          'Send the payload of a KakaoTalk skill with userRequest.utterance.',
        );
      const answer = await answerTo(payload.data.userRequest.utterance);
      return c.json(kakaoAnswer(feedPage(), answer), 200, NOT_KEPT);
    });
  }

  if (slackSigning !== undefined) {
    app.post('/slack/command', limit, async (c) => {
      const body = await c.req.text();
      const signed = {
        timestamp: c.req.header('x-slack-request-timestamp'),
        signature: c.req.header('x-slack-signature'),
        body,
      };
      if (!isSignedBySlack(slackSigning, signed, nowMs()))
        return refuse(
          c,
          401,
          'Not signed',
          'Only Slack may ask here, with a signature of the last five minutes.',
        );
      const text = new URLSearchParams(body).get('text') ?? '';
      return c.json(slackAnswer(feedPage(), await answerTo(text)), 200, NOT_KEPT);
    });
  }
}
