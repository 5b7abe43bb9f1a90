/** Stay this far below a bound on tokens, since they are estimated. */
export const ESTIMATE_MARGIN = 0.89;

/** About how many tokens of o200k the text is: fitted to results over Korean menus, within 9 %. */
export function roughTokens(text: string): number {
  let other = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) other += 1;
  return other * 1.41 + (text.length - other) * 0.28;
}
