import type { JsonScalar } from '../../text/json.ts';

type Replaced<
  Text extends string,
  From extends string,
  To extends string,
> = Text extends `${infer Before}${From}${infer After}` ? `${Before}${To}${Replaced<After, From, To>}` : Text;

/** A reference token as the name that it stands for (RFC 6901, section 4). */
type Unescaped<Token extends string> = Token extends `${string}~${string}`
  ? Replaced<Replaced<Token, '~1', '/'>, '~0', '~'>
  : Token;

/** The reference token of a member's name (RFC 6901, section 3). */
export type Escaped<Name> = Name extends `${string}${'~' | '/'}${string}`
  ? Replaced<Replaced<Name, '~', '~0'>, '/', '~1'>
  : Name extends string | number
    ? `${Name}`
    : never;

/** Whether a token is an index: digits without a sign and without leading zeros. */
type IsIndex<Token extends string> = Token extends `-${string}`
  ? false
  : Token extends `${infer Index extends bigint}`
    ? bigint extends Index
      ? false
      : true
    : false;

type Member<Value, Name extends string> = Value extends JsonScalar | undefined
  ? never
  : Value extends readonly unknown[]
    ? IsIndex<Name> extends true
      ? Name extends keyof Value
        ? Value[Name]
        : number extends Value['length']
          ? Value[number]
          : never
      : never
    : Name extends keyof Value
      ? Value[Name]
      : Name extends `${infer Digits extends number}`
        ? Digits extends keyof Value
          ? Value[Digits]
          : never
        : never;

type IsAny<Value> = 0 extends 1 & Value ? true : false;

type FieldIn<Value, Pointer extends string> =
  IsAny<Value> extends true
    ? Value
    : Pointer extends `/${infer Token}/${infer Rest}`
      ? FieldIn<Member<Value, Unescaped<Token>>, `/${Rest}`>
      : Pointer extends `/${infer Token}`
        ? Member<Value, Unescaped<Token>>
        : never;

/**
 * The type of the field that a JSON Pointer leads to in a record; `never` if no record has it. The type of an optional field is its type
 * when it is there. A pointer that is not known at compile time may lead to anything.
 * @see RFC 6901
 */
export type FieldAt<RecordType, Pointer extends string> = string extends Pointer
  ? unknown
  : Exclude<FieldIn<RecordType, Pointer>, undefined>;
