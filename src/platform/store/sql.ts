import type { Statement as Prepared, SQLQueryBindings } from 'bun:sqlite';
import { getTableName, is } from 'drizzle-orm';
import { SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { lazy } from '../lazy.ts';
import type { Connection } from './connection.ts';
import { type InsertOptions, insertText, updateText } from './sql/changes.ts';
import { type Compiled, compiled, inputsOf } from './sql/parameters.ts';
import {
  decoderOf,
  type Reader,
  readerOf,
  readerOfColumns,
  readerOfShape,
  readerOfTable,
  rowReader,
} from './sql/rows.ts';
import {
  type Args,
  type Cell,
  Expression,
  type Member,
  OrNull,
  type ParametersOf,
  Part,
  type RowOf,
  type RowOfShape,
  type Shape,
  type Tables,
  type TokenOf,
  type TokensOf,
  type TokensOfMember,
  type TokensOfShape,
  type ValueOf,
} from './sql/typing.ts';
import { runQuery, type Snapshot } from './transaction.ts';

/**
 * A statement of a store. A single parameter is given as it is, several as an object by their names. Rejects
 * with DuplicateRow when a unique index refuses a row.
 */
export interface Statement<Parameters, Out> {
  (snapshot: Snapshot, ...args: Args<Parameters>): Promise<Out>;
  /** Runs it at once: for functions of a store that run several statements in one `runQuery`. */
  on(connection: Connection, ...args: Args<Parameters>): Out;
}

/** A statement that takes an object, whatever the number of its parameters. */
export interface RowStatement<Row, Out> {
  (snapshot: Snapshot, row: Row): Promise<Out>;
  on(connection: Connection, row: Row): Out;
}

/** A statement as it was defined, for the test that prepares all of them. */
export interface Definition {
  /** Returns its text, with a question mark for each parameter. */
  text(): string;
  /** Returns the columns of its rows; null for an expression, or instead of all if only SQLite knows them. */
  columns(): readonly (SQLiteColumn | null)[] | null;
  /** Why it may read or sort a whole table that grows; null if it must not. */
  scans: string | null;
  /** The tables that its store names. */
  tables: readonly SQLiteTable[];
}

/** A row as SQLite reports it. */
export type ReportedRow = Readonly<Record<string, SQLiteValue>>;
export type SQLiteValue = string | number | Uint8Array | null;

/** The statements of all modules that are loaded. */
export const definitions: Definition[] = [];

interface Options {
  /** Why the statement may read or sort a whole table that grows: the bound of what that costs. */
  scans?: string;
}

/** Returns what is null in a row without a match: a column of an outer join, or a maximum of no rows. */
export const orNull = <const Of extends Member>(of: Of): OrNull<Of> => new OrNull(of);

/** A tag of templates that are statements. `Known` are the tokens of what stands around the template. */
type Tag<T extends Tables, Own, Out, Known = never> = <
  const P extends readonly (TokenOf<T, Own> | Part<TokenOf<T, Own>>)[],
>(
  strings: TemplateStringsArray,
  ...parts: P
) => Statement<ParametersOf<T, Own, TokensOf<P[number]> | Known>, Out>;

type UpdateTag<T extends Tables, Own extends SQLiteTable, Set extends keyof RowOf<Own>> = <
  const P extends readonly (TokenOf<T, Own> | Part<TokenOf<T, Own>>)[],
>(
  strings: TemplateStringsArray,
  ...parts: P
) => RowStatement<Pick<RowOf<Own>, Set> & ParametersOf<T, Own, TokensOf<P[number]>>, number>;

/** The values of columns that are the same in all rows, and expressions. */
type FixedOf<Own extends SQLiteTable> = { readonly [Name in keyof RowOf<Own>]?: RowOf<Own>[Name] | Part };

type Template = (strings: readonly string[], ...parts: readonly (string | Part)[]) => Runner;
type Runner = RowStatement<unknown, unknown>;
type Around = (list: Part, template: Part) => Part;

/**
 * Returns the SQL of a store over some tables. A statement is SQL text whose `${'name'}` are parameters:
 *
 * - `name` is typed and encoded like the column of this name, of the statement's own table first
 * - `from:day` is called `from`, and is like the column `day`; `at:receipt.issuedAt` names the table too
 * - `limit` and `x:number` are numbers, `x:text` and `x:bytes` are no columns, `ids:list` is a list as JSON
 * - with a `?` at its end it may be null
 *
 * The text is prepared once a connection, on first use.
 */
export function sqlOf<const T extends Tables>(tables: T) {
  /** Returns a tag of statements whose rows are read. `around` returns the text around the template. */
  function select(
    own: SQLiteTable | null,
    read: () => Reader,
    around: Around,
    { scans }: Options,
    end: (rows: unknown[]) => unknown,
  ): Template {
    const reader = lazy(read);
    return (strings, ...parts) => {
      const readRow = lazy(() => rowReader(reader()));
      return statementOf({
        compile: () => compiled(tables, own, around(reader().list(), new Part(strings, parts))),
        columns: () => reader().columns(),
        scans: scans ?? null,
        tables,
        run: (prepared, inputs) => end(prepared.values(...inputs).map(readRow())),
      });
    };
  }
  /** Returns a tag of statements whose rows have the names and values that SQLite reports. */
  const reported =
    ({ scans }: Options): Template =>
    (strings, ...parts) =>
      statementOf({
        compile: () => compiled(tables, null, new Part(strings, parts)),
        columns: () => null,
        scans: scans ?? null,
        tables,
        run: (prepared, inputs) => prepared.all(...inputs),
      });
  /** Returns a tag of statements that change rows. */
  const change =
    (own: SQLiteTable | null, around: (template: Part) => Part, takesRow: boolean): Template =>
    (strings, ...parts) =>
      statementOf({
        compile: () => compiled(tables, own, around(new Part(strings, parts))),
        columns: () => [],
        scans: null,
        tables,
        takesRow,
        run: (prepared, inputs) => prepared.run(...inputs).changes,
      });

  /** Returns a statement that stores a row and reads it. */
  const stored = (table: SQLiteTable, options: InsertOptions<string, object>, read: () => Reader): Runner => {
    const reader = lazy(read);
    const readRow = lazy(() => rowReader(reader()));
    return statementOf({
      compile: () => compiled(tables, table, insertText(table, options, reader())),
      columns: () => reader().columns(),
      scans: null,
      tables,
      takesRow: true,
      run(prepared, inputs) {
        const [cells] = prepared.values(...inputs);
        if (cells === undefined) throw new Error(`no row of ${getTableName(table)} was stored`);
        return readRow()(cells);
      },
    });
  };

  return {
    /** A piece of text for several statements: a condition, or a subquery. */
    part: <const P extends readonly (TokenOf<T> | Part<TokenOf<T>>)[]>(
      strings: TemplateStringsArray,
      ...parts: P
    ) => new Part<TokensOf<P[number]> & string>(strings, parts),

    /** Returns parts with a text between them. */
    join: <Token extends string>(parts: readonly Part<Token>[], between: string) =>
      new Part<Token>(['', ...parts.slice(1).map(() => between), ''], parts),

    /** Text of the program as it is, such as the name of a table. */
    verbatim: (text: string) => new Part<never>([text], []),

    /** An expression of a row: a number, text, bytes, a condition, or a value like those of a column. */
    number: expressions<T, number>(null),
    text: expressions<T, string>(null),
    bytes: expressions<T, Uint8Array>(null),
    flag: expressions<T, boolean>((cell) => cell === 1),
    like: <C extends SQLiteColumn>(column: C) => expressions<T, C['_']['data']>(decoderOf(column)),

    /** The first row of a table; null for none: ``row(checkout)`WHERE session_id = ${'sessionId'}` ``. */
    row: <Own extends SQLiteTable>(table: Own, options: Options = {}) =>
      typed<Tag<T, Own, RowOf<Own> | null>>(
        select(table, () => readerOfTable(table), from(table), options, firstOf),
      ),
    rows: <Own extends SQLiteTable>(table: Own, options: Options = {}) =>
      typed<Tag<T, Own, RowOf<Own>[]>>(
        select(table, () => readerOfTable(table), from(table), options, allOf),
      ),

    /** The first value of a column; null for none. Of an expression, the text begins with FROM. */
    value: <Of extends Cell | OrNull>(of: Of, options: Options = {}) =>
      typed<Tag<T, null, ValueOf<Of> | null, TokensOfMember<Of>>>(
        select(ownOf(of), () => readerOf(of), fromOf(of), options, firstOf),
      ),
    values: <Of extends Cell | OrNull>(of: Of, options: Options = {}) =>
      typed<Tag<T, null, ValueOf<Of>[], TokensOfMember<Of>>>(
        select(ownOf(of), () => readerOf(of), fromOf(of), options, allOf),
      ),

    /** How many rows of a table there are. */
    count: <Own extends SQLiteTable>(table: Own, options: Options = {}) =>
      typed<Tag<T, Own, number>>(select(table, () => NUMBER_OF_ROWS, from(table), options, firstOf)),
    /** Whether there is a row of a table. */
    exists: <Own extends SQLiteTable>(table: Own, options: Options = {}) =>
      typed<Tag<T, Own, boolean>>(
        select(
          table,
          () => ONE,
          from(table),
          options,
          (rows) => rows.length > 0,
        ),
      ),

    /**
     * Rows of columns, expressions and whole tables by name. The text begins with FROM:
     * ``joined({ receipt, operatorId: operator.operatorId }).rows`FROM receipt JOIN operator USING (…)` ``.
     */
    joined: <const S extends Shape>(shape: S, options: Options = {}) => {
      const reader = lazy(() => readerOfShape(shape));
      return {
        row: typed<Tag<T, null, RowOfShape<S> | null, TokensOfShape<S>>>(
          select(null, reader, selecting, options, firstOf),
        ),
        rows: typed<Tag<T, null, RowOfShape<S>[], TokensOfShape<S>>>(
          select(null, reader, selecting, options, allOf),
        ),
      };
    },

    /** Rows with the names that the text gives to its columns: for audits, whose rows differ. */
    reported: (options: Options = {}) => typed<Tag<T, null, ReportedRow[]>>(reported(options)),

    /** Any statement. @returns the number of changed rows */
    run: typed<Tag<T, null, number>>(change(null, (template) => template, false)),
    /** The row that an INSERT, UPDATE or DELETE changed, a value or members of it; null for none. */
    returning: <const Of extends Member>(of: Of) =>
      typed<Tag<T, null, ValueOf<Of> | null, TokensOfMember<Of>>>(
        select(null, () => readerOf(of), returning, {}, firstOf),
      ),
    /** Sets columns of the rows that the text finds. @returns the number of changed rows */
    update: <Own extends SQLiteTable, const Set extends keyof RowOf<Own> & string>(
      table: Own,
      names: readonly Set[],
    ) => typed<UpdateTag<T, Own, Set>>(change(table, (template) => updateText(table, names, template), true)),

    /** Stores a row: a value for each column that is not left out. @returns the number of stored rows */
    insert: <
      Own extends SQLiteTable,
      const Less extends keyof RowOf<Own> & string = never,
      const Fixed extends FixedOf<Own> = Record<never, never>,
    >(
      table: Own,
      options: InsertOptions<Less, Fixed> = {},
    ) =>
      typed<RowStatement<Omit<RowOf<Own>, Less | keyof Fixed>, number>>(
        statementOf({
          compile: () => compiled(tables, table, insertText(table, options, null)),
          columns: () => [],
          scans: null,
          tables,
          takesRow: true,
          run: (prepared, inputs) => prepared.run(...inputs).changes,
        }),
      ),
    /** Stores a row like `insert`. @returns some of its columns @throws Error if no row was stored */
    insertReturning: <
      Own extends SQLiteTable,
      const Out extends keyof RowOf<Own> & string,
      const Less extends keyof RowOf<Own> & string = never,
      const Fixed extends FixedOf<Own> = Record<never, never>,
    >(
      table: Own,
      names: readonly Out[],
      options: InsertOptions<Less, Fixed> = {},
    ) =>
      typed<RowStatement<Omit<RowOf<Own>, Less | keyof Fixed>, Pick<RowOf<Own>, Out>>>(
        stored(table, options, () => readerOfColumns(table, names)),
      ),
    /** Stores a row like `insert`. @returns the row as it is stored @throws Error if no row was stored */
    insertRow: <
      Own extends SQLiteTable,
      const Less extends keyof RowOf<Own> & string = never,
      const Fixed extends FixedOf<Own> = Record<never, never>,
    >(
      table: Own,
      options: InsertOptions<Less, Fixed> = {},
    ) =>
      typed<RowStatement<Omit<RowOf<Own>, Less | keyof Fixed>, RowOf<Own>>>(
        stored(table, options, () => readerOfTable(table)),
      ),
  };
}

/**
 * Gives a statement, or a tag of statements, the type that follows from its tables. The only assertion: what
 * a text returns cannot be seen by the compiler, and a test compares it with what SQLite reports.
 */
const typed = <Type>(untyped: Template | Runner): Type => untyped as Type;

const firstOf = (rows: unknown[]): unknown => rows[0] ?? null;
const allOf = (rows: unknown[]): unknown[] => rows;

const NUMBER_OF_ROWS = readerOf(new Expression<number>(new Part(['count(*)'], []), null));
const ONE = readerOf(new Expression<number>(new Part(['1'], []), null));

const from =
  (table: SQLiteTable): Around =>
  (list, template) =>
    new Part(['SELECT ', ` FROM ${getTableName(table)} `, ''], [list, template]);
const selecting: Around = (list, template) => new Part(['SELECT ', ' ', ''], [list, template]);
const returning: Around = (list, template) => new Part(['', ' RETURNING ', ''], [template, list]);

const columnOf = (of: Cell | OrNull): SQLiteColumn | null => {
  const inner = of instanceof OrNull ? of.of : of;
  return is(inner, SQLiteColumn) ? inner : null;
};
const ownOf = (of: Cell | OrNull): SQLiteTable | null => columnOf(of)?.table ?? null;
const fromOf = (of: Cell | OrNull): Around => {
  const table = ownOf(of);
  return table === null ? selecting : from(table);
};

/** Returns a tag of expressions. */
const expressions =
  <T extends Tables, Value>(decode: Expression['decode']) =>
  <const P extends readonly (TokenOf<T> | Part<TokenOf<T>>)[]>(strings: TemplateStringsArray, ...parts: P) =>
    new Expression<Value, TokensOf<P[number]> & string>(new Part(strings, parts), decode);

/** Returns a statement, which is compiled with its first use. */
function statementOf({
  compile,
  takesRow = false,
  tables,
  run,
  ...definition
}: {
  compile(): Compiled;
  columns(): readonly (SQLiteColumn | null)[] | null;
  scans: string | null;
  tables: Tables;
  takesRow?: boolean;
  run(prepared: Prepared<unknown, SQLQueryBindings[]>, inputs: SQLQueryBindings[]): unknown;
}): Runner {
  let ready: { text: string; inputs: (value: unknown) => SQLQueryBindings[] } | null = null;
  const prepare = () => {
    if (ready !== null) return ready;
    const text = compile();
    ready = { text: text.text, inputs: inputsOf(text, takesRow) };
    return ready;
  };
  const prepared = new WeakMap<Connection, Prepared<unknown, SQLQueryBindings[]>>();
  const on = (connection: Connection, value?: unknown): unknown => {
    const { text, inputs } = prepare();
    let statement = prepared.get(connection);
    if (statement === undefined) {
      // Not `prepare`, whose statements keep the file open and locked after the connection was closed.
      statement = connection.sqlite.query<unknown, SQLQueryBindings[]>(text);
      prepared.set(connection, statement);
    }
    return run(statement, inputs(value));
  };
  definitions.push({ ...definition, tables: Object.values(tables), text: () => prepare().text });
  return Object.assign(
    (snapshot: Snapshot, value?: unknown) => runQuery(snapshot, (connection) => on(connection, value)),
    { on },
  );
}
