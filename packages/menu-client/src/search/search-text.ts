import { disassemble, getChoseong } from 'es-hangul';

/** Typed Hangul letters: NFKC would turn them into conjoining ones, which no keyboard types. */
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

/** Each Hangul syllable as its initial consonant, everything else as it is: character for character. */
export function initialsOf(folded: string): string {
  return folded.replace(/[가-힣]/g, (syllable) => getChoseong(syllable));
}

/** True for a token that holds at least one typed initial consonant. */
export function hasInitials(token: string): boolean {
  return /[ㄱ-ㅎ]/.test(token);
}

/** Each Hangul syllable as its letters, so that one wrong letter is one typo. */
export function lettersOf(folded: string): string {
  return disassemble(folded);
}
