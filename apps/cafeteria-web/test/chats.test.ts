import { createHmac } from 'node:crypto';
import { systemClock } from 'menu-client';
import { ASKED_DATES, ASKED_MEALS, ASKED_NOON_MS } from 'test-support/asked-dates';
import { expect, test } from 'vitest';
import { parseQuestion } from '../src/chat/chat-question.ts';
import { LUNCH_MS } from './support/page-types.ts';
import { startTestCafeteria } from './support/running.ts';
import { sharedCafeteria } from './support/shared.ts';

const KAKAO = 'a-path-that-nobody-guesses';
const SLACK = '8f742231b10e8888abcd99yyyzzz85a5';
const clock = { ...systemClock, nowMs: () => LUNCH_MS };
const site = sharedCafeteria({ chats: { kakaoSkill: KAKAO, slackSigning: SLACK } }, clock);

test.each([
  ['R5 점심', { query: 'R5', date: '2026-11-20', meal: '2' }],
  ['내일 저녁 강남 역삼', { query: '강남 역삼', date: '2026-11-21', meal: '3' }],
  ['20261124 lunch REST000007', { query: 'REST000007', date: '2026-11-24', meal: '2' }],
  ['R5 20261399', { query: 'R5 20261399', date: '2026-11-20' }],
  ['', { query: '', date: '2026-11-20' }],
  ['R5 포장메뉴', { query: 'R5', date: '2026-11-20', takeout: true }],
])('%j asks for %j', (text, question) => {
  expect(parseQuestion(text, LUNCH_MS)).toEqual(question);
});

test('a question is of any day and meal that people name', () => {
  for (const [text, date] of ASKED_DATES)
    expect(parseQuestion(`R5 ${text}`, ASKED_NOON_MS), text).toMatchObject({ query: 'R5', date });
  for (const [text, date, meal] of ASKED_MEALS)
    expect(parseQuestion(`${text} R5`, ASKED_NOON_MS), text).toMatchObject({ date, meal });
});

interface Skill {
  version: string;
  template: {
    outputs: {
      simpleText?: { text: string };
      carousel?: { items: { title: string; description: string; thumbnail: { imageUrl: string } }[] };
    }[];
    quickReplies?: { label: string; messageText: string }[];
  };
}
const kakao = (utterance: unknown, secret = KAKAO): Promise<Response> =>
  fetch(`${site.url}/kakao/skill/${secret}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ userRequest: { utterance, user: { id: 'somebody' } }, bot: {}, action: {} }),
  });
const ask = async (utterance: string) => (await (await kakao(utterance)).json()) as Skill;

test('the KakaoTalk skill answers with a carousel within its limits, and quick replies that lead on', async () => {
  // What is not in the cache yet is read, and the answer says to ask again.
  let skill = await ask('R5 점심');
  for (let tries = 0; tries < 20 && skill.template.outputs.length < 2; tries += 1)
    skill = await ask('R5 점심');
  expect(skill.version).toBe('2.0');
  const [said, shown] = skill.template.outputs;
  expect(said?.simpleText?.text).toContain('R5 1식당, 11월 20일 (금) 중식');
  const items = shown?.carousel?.items ?? [];
  expect(items.length).toBeGreaterThan(2);
  expect(items.length).toBeLessThanOrEqual(10);
  for (const { title, description, thumbnail } of items) {
    expect(title.length).toBeLessThanOrEqual(50);
    expect(description.length).toBeLessThanOrEqual(76);
    expect(thumbnail.imageUrl.startsWith(`${site.url}/`)).toBe(true);
  }
  expect((await fetch(items[0]?.thumbnail.imageUrl ?? '')).status).toBe(200);
  const replies = skill.template.quickReplies ?? [];
  expect(replies.length).toBeGreaterThan(2);
  expect(replies.length).toBeLessThanOrEqual(10);
  for (const { label, messageText } of replies.slice(0, 2)) {
    expect(label.length).toBeLessThanOrEqual(14);
    expect((await ask(messageText)).template.outputs[0]?.simpleText?.text).toContain('R5 1식당');
  }
});

test('words around the question do not hide what is meant', async () => {
  const said = async (text: string) => (await ask(text)).template.outputs[0]?.simpleText?.text ?? '';
  for (const text of [
    'R5 구내식당',
    'R5에서 오늘점심 뭐 나와?',
    'R5 뭐 먹지',
    '한빛전자 R5점심 메뉴 알려줘',
    'R5에서 오늘 뭐먹어',
    'R5 뭐나옴',
    'R5요',
    '혹시 R5 점심 메뉴는 뭐예요?',
    'R5 점심 알려주실 수 있나요',
    '그럼 R5 점심은 몇시까지야?',
    'R5 12시 뭐가 맛있어',
    'R5 점심 감사합니다',
    'R5 점심 부탁해 ㅋㅋ',
    'R5 오늘 칼로리',
  ])
    await expect.poll(() => said(text)).toContain('R5 1식당, 11월 20일 (금)');
  for (const text of ['도움말', '메뉴 알려줘', 'help', '뭐 먹지?'])
    expect(await said(text), text).toContain('예: R5 오늘 점심');
});

test('what is taken out is shown alone where somebody asks for it, and offered where it comes last', async () => {
  const menus = async (text: string) => {
    const { outputs, quickReplies = [] } = (await ask(text)).template;
    const titles = (outputs[1]?.carousel?.items ?? []).map(({ description }) =>
      /포장(?:\n|$)/.test(description),
    );
    return { said: outputs[0]?.simpleText?.text, titles, quickReplies };
  };
  await expect.poll(async () => (await menus('R5 점심')).titles.length).toBeGreaterThan(2);
  const { titles, quickReplies } = await menus('R5 점심');
  expect(titles[0]).toBe(false);
  const offered = quickReplies.find(({ label }) => label === '포장')?.messageText ?? '';
  for (const text of [offered, 'R5 포장', 'R5 점심 테이크아웃 메뉴', 'R5 takeout']) {
    const packed = await menus(text);
    expect(packed.said, text).toMatch(/^R5 1식당, 11월 20일 \(금\) 중식 포장/);
    expect(packed.titles.length, text).toBeGreaterThan(0);
    expect(packed.titles, text).not.toContain(false);
  }
});

test('restaurants that are called the same are told apart', async () => {
  const { outputs, quickReplies = [] } = (await ask('기숙사식당')).template;
  expect(outputs[0]?.simpleText?.text).toMatch(/^기숙사식당 \([^)]+\), /);
  const labels = quickReplies.map(({ label }) => label);
  expect(labels.length).toBeGreaterThan(3);
  expect(new Set(labels).size).toBe(labels.length);
});

test('who asks for a dish gets the address where it can be looked for', async () => {
  const said = (await ask('없는음식 내일')).template.outputs[0]?.simpleText?.text ?? '';
  const [address = ''] = /http\S+/.exec(said) ?? [];
  expect(new URL(address).searchParams.get('q')).toBe('없는음식 내일');
  expect((await fetch(address)).status).toBe(200);
});

test('a closed day names the next one with menus, which can be asked for', async () => {
  const said = async (text: string) => (await ask(text)).template;
  for (const text of ['R5 일요일', 'R5 토요일 점심'])
    await expect
      .poll(async () => (await said(text)).outputs[0]?.simpleText?.text)
      .toContain('등록된 메뉴가 없어요. 다음 메뉴는 11월 23일 (월)에 있어요.');
  const [reply] = (await said('R5 일요일')).quickReplies ?? [];
  expect(reply?.label).toBe('11월 23일 (월)');
  await expect
    .poll(async () => (await said(reply?.messageText ?? '')).outputs[0]?.simpleText?.text)
    .toContain('R5 1식당, 11월 23일 (월)');
});

test('a day that operators keep no menus of is said to be one, instead of a menu that could not be read', async () => {
  for (const day of ['작년 12월 25일', '20280101', '내년 3월 2일'])
    expect((await ask(`R5 ${day}`)).template.outputs[0]?.simpleText?.text, day).toBe(
      '메뉴는 9월 21일 (월)부터 12월 20일 (일)까지 볼 수 있어요.',
    );
});

test('the skill says what to write, that nothing matches, and refuses what is no question of its own', async () => {
  expect((await ask('점심')).template.outputs[0]?.simpleText?.text).toContain('예: R5 오늘 점심');
  expect((await ask('없는식당이름')).template.outputs[0]?.simpleText?.text).toContain('찾는 식당이 없어요');
  expect((await kakao('R5', 'another-path-nobody-knows')).status).toBe(404);
  expect((await kakao(7)).status).toBe(400);
  expect((await kakao('x'.repeat(40_000))).status).toBe(413);
});

function slack(text: string, changes: { ageSeconds?: number; secret?: string; body?: string } = {}) {
  const { ageSeconds = 0, secret = SLACK } = changes;
  const body = new URLSearchParams({ command: '/menu', text, user_id: 'U1' }).toString();
  const timestamp = String(Math.floor(LUNCH_MS / 1000) - ageSeconds);
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
  return fetch(`${site.url}/slack/command`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-Slack-Request-Timestamp': timestamp,
      'X-Slack-Signature': signature,
    },
    body: changes.body ?? body,
  });
}

test('the slash command of Slack answers signed questions, to the person alone', async () => {
  const command = async () =>
    (await (await slack('R5 점심')).json()) as {
      response_type: string;
      text: string;
      blocks?: { type: string; text?: { text: string }; accessory?: { image_url: string } }[];
    };
  let answer = await command();
  for (let tries = 0; tries < 20 && answer.blocks === undefined; tries += 1) answer = await command();
  expect(answer.response_type).toBe('ephemeral');
  expect(answer.text).toBe('R5 1식당, 11월 20일 (금) 중식');
  const sections = answer.blocks?.filter(({ type }) => type === 'section') ?? [];
  expect(sections.length).toBeGreaterThan(2);
  expect(sections.length).toBeLessThanOrEqual(11);
  const image = sections.find(({ accessory }) => accessory !== undefined)?.accessory?.image_url ?? '';
  expect([image.startsWith(`${site.url}/img/`), (await fetch(image)).status]).toEqual([true, 200]);
});

test('a signature that is wrong, old, from the future or of another body is refused', async () => {
  for (const changes of [
    { secret: 'another' },
    { ageSeconds: 301 },
    { ageSeconds: -301 },
    { body: 'text=R5' },
  ])
    expect((await slack('R5', changes)).status, JSON.stringify(changes)).toBe(401);
  expect((await slack('R5', { ageSeconds: 299 })).status).toBe(200);
  expect((await fetch(`${site.url}/slack/command`, { method: 'POST', body: 'text=R5' })).status).toBe(401);
});

test('a platform asks for all its users: the readings of an address are not those of a chat', async () => {
  const limits = { searchPerMinute: 0, mcpPerMinute: 0, photosPerMinute: 0, readingsPerMinute: 1 };
  await using small = await startTestCafeteria({ chats: { kakaoSkill: KAKAO }, limits }, clock);
  for (const day of ['20261119', '20261118', '20261117']) {
    await expect
      .poll(async () => {
        const body = JSON.stringify({ userRequest: { utterance: `R5 ${day} 중식` } });
        const response = await fetch(`${small.url}/kakao/skill/${KAKAO}`, { method: 'POST', body });
        return ((await response.json()) as Skill).template.outputs[0]?.simpleText?.text;
      })
      .toContain('R5 1식당, 11월');
  }
});

test('without their secrets neither is there', async () => {
  await using off = await startTestCafeteria({}, clock);
  for (const path of [`/kakao/skill/${KAKAO}`, '/slack/command'])
    expect((await fetch(off.url + path, { method: 'POST' })).status).toBe(405);
});
