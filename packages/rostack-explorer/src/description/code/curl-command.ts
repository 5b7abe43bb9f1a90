/** How a command goes on on the next line. */
export const LINE_END = ' \\\n  ';

/** The option that sends the token. */
export const authorization = (scheme: string): string => `-H "Authorization: ${scheme} $ROSTACK_TOKEN"`;

/** A command that asks for a URL with parameters. */
export function curlCommand(
  url: string,
  scheme: string,
  parameters: readonly (readonly [name: string, value: string])[],
): string {
  const encoded = parameters.map(([name, value]) => `--data-urlencode ${shellQuote(`${name}=${value}`)}`);
  return [`curl --get ${shellQuote(url)}`, authorization(scheme), ...encoded].join(LINE_END);
}

/** The text as one word of a POSIX shell; it may contain any characters. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
