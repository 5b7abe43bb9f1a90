/** Where a message can be posted: chats with a form of their own, and `webhook` for any program. */
export const POST_SERVICES = ['slack', 'discord', 'teams', 'kakaowork', 'webhook'] as const;

export type PostService = (typeof POST_SERVICES)[number];

/** A message for people, and the data that it was made of. */
export interface PostMessage {
  /** What the lines below are about. */
  readonly title: string;
  readonly lines: readonly string[];
  /** For programs, as JSON. */
  readonly data: unknown;
}

/** The longest text that a service takes, in UTF-16 units. */
const TEXT_LIMITS: Readonly<Record<PostService, number>> = {
  slack: 3_000,
  discord: 2_000,
  teams: 10_000,
  kakaowork: 500,
  webhook: 10_000,
};

/** Title and lines as one text; lines that do not fit are counted instead. */
function textOf({ title, lines }: PostMessage, limit: number): string {
  const whole = [title, ...lines].join('\n');
  if (whole.length <= limit) return whole;
  for (let kept = lines.length - 1; kept > 0; kept -= 1) {
    const text = [title, ...lines.slice(0, kept), `… 외 ${lines.length - kept}`].join('\n');
    if (text.length <= limit) return text;
  }
  return title.slice(0, limit).toWellFormed();
}

/** Characters that mean something in Slack's messages. @see https://docs.slack.dev/messaging/formatting-message-text#escaping */
const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const escapeMarkdown = (text: string): string => text.replaceAll(/[\\`*_~|>#[\]]/g, String.raw`\$&`);

/** The body in the form that the service has published, as JSON. Names in it call nobody. */
export function postBody(service: PostService, message: PostMessage): string {
  const limit = TEXT_LIMITS[service];
  const escaped = (escape: (text: string) => string): string =>
    textOf({ ...message, title: escape(message.title), lines: message.lines.map(escape) }, limit);
  const bodies: Readonly<Record<PostService, () => object>> = {
    slack: () => ({ text: escaped(escapeSlack), unfurl_links: false }),
    discord: () => ({ content: escaped(escapeMarkdown), allowed_mentions: { parse: [] } }),
    // For the workflow "When a Teams webhook request is received".
    teams: () => ({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              { type: 'TextBlock', text: escapeMarkdown(message.title), weight: 'Bolder', wrap: true },
              {
                type: 'TextBlock',
                // A line of a card ends with an empty one.
                text: textOf({ ...message, title: '', lines: message.lines.map(escapeMarkdown) }, limit)
                  .trim()
                  .replaceAll('\n', '\n\n'),
                wrap: true,
              },
            ],
          },
        },
      ],
    }),
    kakaowork: () => ({ text: textOf(message, limit) }),
    webhook: () => ({ text: textOf(message, limit), menu: message.data }),
  };
  return JSON.stringify(bodies[service]());
}
