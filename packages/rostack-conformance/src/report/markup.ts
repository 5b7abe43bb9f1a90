const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters that XML 1.0 cannot represent. */
// oxlint-disable-next-line eslint/no-control-regex -- these are what it finds
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;

/** A text for HTML and XML, as content or in quotes. */
export const escapeMarkup = (text: string): string =>
  text.replaceAll(NOT_XML, '\ufffd').replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
