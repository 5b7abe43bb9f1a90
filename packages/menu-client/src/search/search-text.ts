import { disassemble, getChoseong } from 'es-hangul';

/** Typed Hangul letters: NFKC would turn them into conjoining letters, which no keyboard types. */
const KEYBOARD_LETTERS = /[ㄱ-ㅣ]/g;

/** NFKC and case-folded, spaces single, no control characters; both sides of every comparison. */
export function foldText(text: string): string {
  return text
    .replace(/[^ㄱ-ㅣ]+/g, foldRun)
    .replace(KEYBOARD_LETTERS, (letter) => disassemble(letter))
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

function foldRun(run: string): string {
  return run.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

/** The folded text without spaces: "강남 식당" is also found as "강남식당". */
export function joinWords(folded: string): string {
  return folded.replaceAll(' ', '');
}

const INITIALS = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ';
/** Folded text has no capitals, so they can represent the initials; all else beyond one byte becomes `OTHER`. */
const FIRST_CAPITAL = 0x41;
const OTHER = '\u0001';

/**
 * Each Hangul syllable and consonant as a capital for its initial, position for position. The result has one byte per
 * character, which scans many times faster; characters that do not fit are compared in the text itself.
 */
export function initialsOf(folded: string): string {
  return folded.replace(/[\u0100-\uffff]/g, (sign) => {
    const initial = INITIALS.indexOf(getChoseong(sign) || sign);
    return initial === -1 ? OTHER : String.fromCharCode(FIRST_CAPITAL + initial);
  });
}

/** True for a token with at least one typed initial consonant. */
export function hasInitials(token: string): boolean {
  return /[ㄱ-ㅎ]/.test(token);
}

/** Each Hangul syllable as its letters, so that one wrong letter is one typo. */
export function lettersOf(folded: string): string {
  return disassemble(folded);
}
