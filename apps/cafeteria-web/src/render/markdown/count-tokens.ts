/** An estimate of the tokens that a language model reads the text as: about four Latin or one and a half Korean characters each. */
export function estimateTokens(text: string): number {
  // oxlint-disable-next-line no-control-regex -- the range is all of ASCII
  const ascii = text.length - text.replaceAll(/[\u0000-\u007f]/g, '').length;
  return Math.ceil(ascii / 4 + (text.length - ascii) / 1.5);
}
