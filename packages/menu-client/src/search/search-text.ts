import { assemble, disassemble, getChoseong } from 'es-hangul';

/** Letters as a keyboard types them: NFKC would take them for conjoining letters, and join or split them. */
const KEYBOARD_LETTERS = /[ㄱ-ㅣ]+/g;
const VOWELS = /[ㅏ-ㅣ]/;
/** Conjoining letters that make no syllable. */
const CONJOINING = /[\u1100-\u1112\u1161-\u1175\u11a8-\u11c2]/g;
/** What a keyboard types for them, in the order of Unicode; the first are the initial consonants of syllables. */
const LEADS = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ';
const MEDIALS = 'ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ';
const TRAILS = 'ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ';
/** What nobody sees: zero-width characters, fillers, marks of direction, soft hyphens. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;
const BETWEEN_WORDS = /[\s\p{Cc}\p{Cf}\p{P}\p{S}]+/gu;

/**
 * A text as it is compared: both sides of every comparison are folded so. Width, case and Unicode form make no difference,
 * nor does what is invisible. Letters typed one by one are syllables where they make some (`ㄱㅏㅇ`), initials otherwise
 * (`ㄱㄴ`). Punctuation and symbols are spaces, and spaces are single.
 */
export function foldText(text: string): string {
  return withoutPunctuation(foldCharacters(text));
}

/** The text without what nobody sees; some of it counts as space. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

/** Text that folding leaves as it is: most of what is compared. */
const FOLDED = /^[a-z\d가-힣 ]*$/;

/** As `foldText`, but punctuation stays: a date such as `11/28` has some. */
export function foldCharacters(text: string): string {
  if (FOLDED.test(text)) return text;
  return withoutInvisible(text)
    .replace(/[^ㄱ-ㅣ]+/g, foldRun)
    .replace(CONJOINING, keyboardLetter)
    .replace(KEYBOARD_LETTERS, foldLetters);
}

function withoutPunctuation(folded: string): string {
  return folded.replace(BETWEEN_WORDS, ' ').trim();
}

function foldRun(run: string): string {
  return run.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

function keyboardLetter(sign: string): string {
  const code = sign.charCodeAt(0);
  const [letters, first] =
    code < 0x11_61 ? [LEADS, 0x11_00] : code < 0x11_a8 ? [MEDIALS, 0x11_61] : [TRAILS, 0x11_a8];
  return letters[code - first] ?? sign;
}

/** Doubled consonants are two letters of the keyboard: `ㄳ` is `ㄱㅅ`. */
function foldLetters(run: string): string {
  const letters = disassemble(run);
  if (!VOWELS.test(run)) return letters;
  try {
    return assemble(letters.split(''));
  } catch {
    // es-hangul refuses a double vowel of no syllable with a consonant after it: ㅘㅇ.
    return letters;
  }
}

/** The folded text without spaces: "강남 식당" is also found as "강남식당". */
export function joinWords(folded: string): string {
  return folded.replaceAll(' ', '');
}

/** Folded text has no capitals, so they can represent the initials; all else beyond one byte becomes `OTHER`. */
const FIRST_CAPITAL = 0x41;
const OTHER = '\u0001';

/**
 * Each Hangul syllable and consonant as a capital for its initial, position for position. The result has one byte per
 * character, which scans many times faster; characters that do not fit are compared in the text itself.
 */
export function initialsOf(folded: string): string {
  return folded.replace(/[\u0100-\uffff]/g, (sign) => {
    const initial = LEADS.indexOf(getChoseong(sign) || sign);
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
