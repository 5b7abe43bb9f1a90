/** Words in names of columns with personal data: people, how to contact them, and their credentials. */
const PERSONAL_WORDS: ReadonlySet<string> = new Set(
  `address addr age avatar bday birth birthday birthdate card cardholder cc cell cvv dob email emails mail mails mobile fax firstname
  forename fullname gender iban imei initials ip ipaddress lastname login maidenname nationality nickname passport password passwd pwd
  passphrase phone phones phonenumber pin postcode postalcode religion salary salt secret sex signature sin ssn street surname taxid
  tel telephone token username useragent vat zip zipcode apikey hash credential credentials otp mfa totp session cookie note notes
  comment comments remark remarks entered author owner user customer person patient employee contact recipient sender guest member`.split(
    /\s+/,
  ),
);

/** Words that make a `name` personal when combined with it. */
const PEOPLE: ReadonlySet<string> = new Set(
  'user customer person patient employee contact recipient sender guest member author owner first last full middle maiden display nick'.split(
    ' ',
  ),
);
/** Words for a reference to a person by a number or a key, which reveals nothing by itself. */
const REFERENCES: ReadonlySet<string> = new Set([
  'id',
  'ids',
  'key',
  'no',
  'number',
  'count',
  'type',
  'status',
  'uuid',
]);

/** Why a column looks personal; undefined if it does not. A guess by its name, to be checked by a person. */
export function personalReason(column: string): string | undefined {
  const words = wordsOf(column);
  if (words.includes('name') && words.some((word) => PEOPLE.has(word))) return 'a name';
  const found = words.find((word) => PERSONAL_WORDS.has(word)) ?? joined(words);
  if (found === undefined) return undefined;
  const isReference = PEOPLE.has(found) && words.some((word) => REFERENCES.has(word));
  return isReference ? undefined : found;
}

/** Two words that are written as one in the list, such as `first_name`. */
function joined(words: readonly string[]): string | undefined {
  return words
    .slice(1)
    .map((word, index) => `${words[index] ?? ''}${word}`)
    .find((word) => PERSONAL_WORDS.has(word));
}

/** `customerEmail`, `CUSTOMER_EMAIL` and `customer-email2` are the same two words. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
}
