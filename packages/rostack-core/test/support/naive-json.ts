/** A number as a fraction in lowest terms, and a text for it. */
function fractionOf(text: string): string {
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const power = Number(exponent) - fraction.length;
  let over = BigInt(whole + fraction);
  let under = 1n;
  if (power >= 0) over *= 10n ** BigInt(power);
  else under = 10n ** BigInt(-power);
  const divisor = gcd(over, under);
  return over === 0n ? '0' : `${sign}${over / divisor}/${under / divisor}`;
}

function gcd(a: bigint, b: bigint): bigint {
  let [left, right] = [a, b];
  while (right !== 0n) [left, right] = [right, left % right];
  return left;
}

/** Whether printing the double says the number that the text says, by arithmetic of any length. */
export function isExactNaively(text: string): boolean {
  const value = Number(text);
  return Number.isFinite(value) && fractionOf(String(value)) === fractionOf(text);
}

/** What a JSON text says with nothing lost: members as pairs, and numbers as the text has them. */
export type Raw =
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, Raw])[] }
  | { readonly kind: 'array'; readonly elements: readonly Raw[] }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'other'; readonly text: string };

/** The path of the first thing that is lost by a parser which keeps one of each member, and doubles; undefined where nothing is. */
export function firstLoss(raw: Raw): readonly string[] | undefined {
  if (raw.kind === 'number') return isExactNaively(raw.text) ? undefined : [];
  const parts = raw.kind === 'array' ? [...raw.elements.entries()] : raw.kind === 'object' ? raw.members : [];
  const names = new Set<string>();
  for (const [token, part] of parts) {
    const name = String(token);
    if (names.has(name)) return [name];
    names.add(name);
    const loss = firstLoss(part);
    if (loss !== undefined) return [name, ...loss];
  }
  return undefined;
}

/** The text of it, with what `space` gives between the tokens. */
export function writeRaw(raw: Raw, space: () => string): string {
  const join = (parts: readonly string[]): string => parts.join(`${space()},${space()}`);
  if (raw.kind === 'array') return `[${space()}${join(raw.elements.map((each) => writeRaw(each, space)))}]`;
  if (raw.kind !== 'object') return raw.text;
  const members = raw.members.map(
    ([name, member]) => `${JSON.stringify(name)}${space()}:${space()}${writeRaw(member, space)}`,
  );
  return `{${space()}${join(members)}${space()}}`;
}
