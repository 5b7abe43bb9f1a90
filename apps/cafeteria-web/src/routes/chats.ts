import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { MenuService } from 'menu-client';
import { answerChat } from '../chat/chat-answer.ts';
import { KakaoPayload, kakaoAnswer } from '../chat/kakao-skill.ts';
import { isSignedBySlack, slackAnswer } from '../chat/slack-command.ts';
import { NOT_KEPT } from '../http/headers.ts';
import { problem } from '../http/problem.ts';
import type { PageContext } from '../render/page-context.ts';

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
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The KakaoTalk skill and the Slack slash command: they read a question and store nothing of it. */
export function mountChats(app: Hono, { service, chats, feedPage, nowMs }: Parts): void {
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
      const answer = await answerChat(service, payload.data.userRequest.utterance, nowMs());
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
      return c.json(slackAnswer(feedPage(), await answerChat(service, text, nowMs())), 200, NOT_KEPT);
    });
  }
}
