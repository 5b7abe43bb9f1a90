import type { Resource } from 'rostack-core';
import type { Check } from '../../check/check.ts';
import type { CheckContext } from '../../check/check-context.ts';
import { describeAnswer } from '../../probe/judge-problem.ts';
import { itemUrl, listUrl } from '../../probe/place/urls.ts';
import { judgeRefusal } from './sample/judge-refusal.ts';
import { recordUrl, type Sample, samplesOf } from './sample/sample.ts';

const LACKING = 'permission.lacking';
const FIRST_QUERY = 'permission.first.query';
const FIRST_ITEM = 'permission.first.item';
const EVERY_TIME = 'permission.every-time';
const TOGETHER = 'permission.together';
const ITEM_403 = 'decided.item.403';
const ALIKE = 'err.indistinguishable';

/** How a lack of rights is reported. */
type Refusal = 'authentication-required' | 'permission-denied';

/** A request for a resource without the rights. */
interface Question {
  readonly what: string;
  readonly url: string;
  /** The requirement that looking at anything before the rights breaks. */
  readonly id: string;
}

function questionsOf({ resource, items: [first] }: Sample): readonly Question[] {
  const present = first && recordUrl(resource, first);
  return [
    { what: 'A malformed filter', url: listUrl(resource, { filter: '{' }), id: FIRST_QUERY },
    { what: 'A malformed order', url: listUrl(resource, { sort: '/no-such-field' }), id: FIRST_QUERY },
    { what: 'A cursor that is none', url: listUrl(resource, { cursor: 'no-cursor' }), id: FIRST_QUERY },
    ...(present === undefined ? [] : [{ what: 'An item that is there', url: present, id: FIRST_ITEM }]),
    { what: 'An item that is not there', url: itemUrl(resource, '8123456789012345'), id: FIRST_ITEM },
  ];
}

/** Without credentials nothing is answered, and nothing else in the request is looked at. */
export const withoutCredentials: Check = {
  name: 'reads.permissions.without-credentials',
  level: 'reads',
  requirements: [FIRST_QUERY, FIRST_ITEM, EVERY_TIME, 'err.http.type.authentication-required'],
  needs: ['token'],
  async run(context) {
    for (const sample of await samplesOf(context)) {
      const url = listUrl(sample.resource, {});
      for (const question of questionsOf(sample)) {
        const response = await context.http.get(question.url);
        judgeRefusal(context, [question.id], response, 'authentication-required', question.what);
      }
      await tryWarm(context, url, undefined, 'authentication-required');
    }
  },
};

/** A principal that lacks a permission gets that answer, whatever it requests. */
export const lackingPermission: Check = {
  name: 'reads.permissions.lacking',
  level: 'reads',
  requirements: [
    LACKING,
    FIRST_QUERY,
    FIRST_ITEM,
    EVERY_TIME,
    TOGETHER,
    ITEM_403,
    ALIKE,
    'err.http.type.permission-denied',
  ],
  needs: ['token', 'poor-token'],
  async run(context) {
    const { http, tokens, findings } = context;
    const token = tokens.poor;
    const [open, shut]: [Resource[], Resource[]] = [[], []];
    for (const sample of await samplesOf(context)) {
      const url = listUrl(sample.resource, {});
      const response = await http.get(url, { token });
      if (response.status === 200) {
        open.push(sample.resource);
        continue;
      }
      shut.push(sample.resource);
      judgeRefusal(context, [LACKING], response, 'permission-denied', 'A list');
      const answers = new Map<string, string>();
      for (const { what, url: asked, id } of questionsOf(sample)) {
        const answer = await http.get(asked, { token });
        if (id === FIRST_ITEM) answers.set(what, describeAnswer(answer));
        else judgeRefusal(context, [id], answer, 'permission-denied', what);
      }
      judgeItems(context, sample.resource, [...answers.values()]);
      await tryWarm(context, url, token, 'permission-denied');
    }
    if (open.length + shut.length > 0 && shut.length === 0) {
      findings.skip(LACKING, 'no data: the poor token may read everything');
    }
    judgeTogether(context, open, shut);
  },
};

/** An existing item is refused in the same way as a missing one: both with 403, or both with 404. */
function judgeItems({ findings }: CheckContext, { name }: Resource, answers: readonly string[]): void {
  const [present, absent] = answers;
  if (present === undefined || absent === undefined) return;
  const failure = () => ({
    expected: `Items of ${name} are refused alike, whether they are there or not.`,
    got: `One that is there: ${present}. One that is not: ${absent}.`,
  });
  for (const id of [FIRST_ITEM, ALIKE]) findings.judge(id, present === absent, failure);
  if (present !== absent) return;
  findings.judge(ITEM_403, present.startsWith('403'), () => ({
    expected: `Items of ${name} are refused with permission-denied.`,
    got: `${present}.`,
  }));
}

/** A principal that may read a resource may read those that need no further permissions. */
function judgeTogether(
  { findings }: CheckContext,
  open: readonly Resource[],
  shut: readonly Resource[],
): void {
  for (const closed of shut) {
    const wider = open.find(({ read_permissions: held }) =>
      closed.read_permissions.every((permission) => held.includes(permission)),
    );
    findings.judge(TOGETHER, wider === undefined, () => ({
      expected: `Who may read ${wider?.name} has all of its permissions, and so those of ${closed.name}.`,
      got: `${closed.name} is refused: ${closed.read_permissions.join(', ')}.`,
    }));
  }
}

/** A list is refused even if somebody with the rights has just read it. */
async function tryWarm(
  context: CheckContext,
  url: string,
  token: string | undefined,
  slug: Refusal,
): Promise<void> {
  for (let times = 0; times < 3; times += 1) await context.http.get(url, { token: context.tokens.main });
  judgeRefusal(
    context,
    [EVERY_TIME],
    await context.http.get(url, { token }),
    slug,
    'A list that another principal has just read',
  );
}
