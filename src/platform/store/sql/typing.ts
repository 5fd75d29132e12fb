import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';

/** The tables of a store, by the name of their variable. */
export type Tables = Readonly<Record<string, SQLiteTable>>;
export type RowOf<Table extends SQLiteTable> = Table['$inferSelect'];

/** The parameters that are no columns. */
interface Plain {
  number: number;
  text: string;
  bytes: Uint8Array;
  /** JSON of a list. */
  list: readonly (string | number)[];
}

type NamesIn<T extends Tables> = { [K in keyof T]: keyof RowOf<T[K]> & string }[keyof T];
type NamesOf<Own> = Own extends SQLiteTable ? keyof RowOf<Own> & string : never;
type QualifiedIn<T extends Tables> = {
  [K in keyof T & string]: `${K}.${keyof RowOf<T[K]> & string}`;
}[keyof T & string];

type Name<T extends Tables, Own> = NamesIn<T> | NamesOf<Own> | 'limit';
type Kind<T extends Tables, Own> = NamesIn<T> | NamesOf<Own> | QualifiedIn<T> | keyof Plain;

/** What may stand in `${…}` of a statement: see `sqlOf`. */
export type TokenOf<T extends Tables, Own = null> =
  | Name<T, Own>
  | `${Name<T, Own>}?`
  | `${string}:${Kind<T, Own>}`
  | `${string}:${Kind<T, Own>}?`;

type ColumnValue<T extends Tables, Own, N> = Own extends SQLiteTable
  ? N extends keyof RowOf<Own>
    ? NonNullable<RowOf<Own>[N]>
    : InTables<T, N>
  : InTables<T, N>;
type InTables<T extends Tables, N> = {
  [K in keyof T]: N extends keyof RowOf<T[K]> ? NonNullable<RowOf<T[K]>[N]> : never;
}[keyof T];

type KindValue<T extends Tables, Own, K> = K extends keyof Plain
  ? Plain[K]
  : K extends `${infer Table}.${infer N}`
    ? ColumnValue<T, T[Table], N>
    : ColumnValue<T, Own, K>;
type TokenValue<T extends Tables, Own, Token> = Token extends `${infer Whole}?`
  ? TokenValue<T, Own, Whole> | null
  : Token extends `${string}:${infer K}`
    ? KindValue<T, Own, K>
    : Token extends 'limit'
      ? number
      : ColumnValue<T, Own, Token>;
type NameIn<Token> = Token extends `${infer N}:${string}` ? N : Token extends `${infer N}?` ? N : Token;

/** The tokens of what stands in `${…}`. */
export type TokensOf<P> = P extends Part<infer Token> ? Token : P;

/** The parameters of tokens, by name. */
export type ParametersOf<T extends Tables, Own, Token> = {
  [Each in Token as NameIn<Each> & string]: TokenValue<T, Own, Each>;
};

type IsUnion<U, Each = U> = Each extends unknown ? ([U] extends [Each] ? false : true) : never;

/** The arguments of a statement: a single parameter as it is, several as an object. */
export type Args<Parameters> = [keyof Parameters] extends [never]
  ? []
  : IsUnion<keyof Parameters> extends true
    ? [parameters: Parameters]
    : [parameter: Parameters[keyof Parameters]];

/** A piece of SQL text with parameters, for use in statements. */
export class Part<Token extends string = string> {
  /** Only a type: the tokens of its parameters. */
  declare readonly tokens: Token;

  constructor(
    readonly strings: readonly string[],
    readonly parts: readonly (string | Part | Constant)[],
  ) {}
}

/** A value that is the same whenever a statement runs. */
export class Constant {
  constructor(
    readonly column: SQLiteColumn,
    readonly value: unknown,
  ) {}
}

/** An expression of a result, with the type that it has in a row. */
export class Expression<Value = unknown, Token extends string = string> {
  /** Only a type: the value that it has in a row. */
  declare readonly value: Value;

  constructor(
    readonly part: Part<Token>,
    /** Null if it is not encoded. */
    readonly decode: ((cell: unknown) => unknown) | null,
  ) {}
}

/** What is null in a row without a match. */
export class OrNull<Of extends Member = Member> {
  constructor(readonly of: Of) {}
}

/** A column of a result. */
export type Cell = SQLiteColumn | Expression;

/** A member of a row: a value, all columns of a table, or some. */
export type Member = SQLiteTable | Cell | Cells;
export type Cells = { readonly [name: string]: Cell | OrNull };

/** The members of a row, by name. */
export type Shape = { readonly [name: string]: Member | OrNull };

type ColumnData<C extends SQLiteColumn> = C['_']['notNull'] extends true
  ? C['_']['data']
  : C['_']['data'] | null;

/** The value of a member of a row. */
export type ValueOf<Of> =
  Of extends OrNull<infer Inner>
    ? ValueOf<Inner> | null
    : Of extends Expression<infer Value>
      ? Value
      : Of extends SQLiteColumn
        ? ColumnData<Of>
        : Of extends SQLiteTable
          ? RowOf<Of>
          : { -readonly [Name in keyof Of]: ValueOf<Of[Name]> };

/** A row of a shape. */
export type RowOfShape<S extends Shape> = { -readonly [Name in keyof S]: ValueOf<S[Name]> };

/** The tokens of the expressions of a shape. */
export type TokensOfShape<S extends Shape> = {
  [Name in keyof S]: TokensOfMember<S[Name]>;
}[keyof S];
export type TokensOfMember<Of> =
  Of extends OrNull<infer Inner>
    ? TokensOfMember<Inner>
    : Of extends Expression<unknown, infer Token>
      ? Token
      : Of extends SQLiteTable | SQLiteColumn
        ? never
        : { [Name in keyof Of]: TokensOfMember<Of[Name]> }[keyof Of];
