import { and, eq, gte, lt, or, type SQL, sql } from 'drizzle-orm';
import { KIND } from '../../../db/staffing/registry/schema.ts';
import {
  byName,
  byState,
  clinician,
  listCount,
  registry,
  severalNames,
} from '../../../db/staffing/registry/tables.ts';
import { bound } from '../../platform/store/columns.ts';
import { type Snapshot, statements } from '../../platform/store/transaction.ts';

type Orm = Snapshot['connection']['orm'];
const $ = sql.placeholder;

/** The columns that are answered with, by name: nothing else of a row is ever read. */
const PUBLIC = {
  npi: clinician.npi,
  lastName: clinician.lastName,
  firstName: clinician.firstName,
  middleName: clinician.middleName,
  suffix: clinician.suffix,
  credential: clinician.credential,
  codes: clinician.codes,
  city: clinician.city,
  state: clinician.state,
  postalCode: clinician.postalCode,
  enumeratedOn: clinician.enumeratedOn,
  lastUpdatedOn: clinician.lastUpdatedOn,
};

/** A clinician as a registry file has one: the public fields, and no others. */
export type ClinicianRow = typeof clinician.$inferSelect;

/** What a registry file says of itself. */
export type RegistryFacts = typeof registry.$inferSelect;

const query = statements((orm) => ({
  facts: () => orm.select().from(registry).prepare(),
  byNpi: () =>
    orm
      .select(PUBLIC)
      .from(clinician)
      .where(eq(clinician.npi, bound(clinician.npi, 'npi')))
      .prepare(),
  count: () =>
    orm
      .select({ clinicians: listCount.clinicians })
      .from(listCount)
      .where(
        and(
          eq(listCount.list, bound(listCount.list, 'list')),
          eq(listCount.state, bound(listCount.state, 'state')),
        ),
      )
      .prepare(),
  page: () => keptByShape((shape) => preparePage(orm, shape)),
  countUpTo: () => keptByShape((shape) => prepareCount(orm, shape)),
}));

/** Which names are looked at: the whole surname alone, all by a prefix, or all for the very name. */
export type Names = 'whole' | 'prefix' | 'exact';

/** Which statement a search needs: what it asks for, not the values. */
interface Shape {
  lists: number;
  inState: boolean;
  names: Names;
}

function keptByShape<S>(prepare: (shape: Shape) => S): (shape: Shape) => S {
  const prepared = new Map<string, S>();
  return (shape) => {
    const key = `${shape.lists} ${shape.inState} ${shape.names}`;
    const statement = prepared.get(key) ?? prepare(shape);
    prepared.set(key, statement);
    return statement;
  };
}

const KINDS: Readonly<Record<Names, readonly number[]>> = {
  whole: [KIND.whole],
  prefix: [KIND.whole, KIND.other],
  exact: [KIND.whole, KIND.other, KIND.firstPart],
};

/**
 * The ranges of an index that a search's clinicians lie in, each in order: one for each list and kind of name. SQLite
 * merges them, reading of each only what the page needs, so that a page costs what its rows cost.
 */
function ranges({ lists, inState, names }: Shape, elsewhere: Elsewhere): SQL[] {
  const table = inState ? byState : byName;
  const range = (index: number, kind: number): SQL => {
    const condition = and(
      eq(table.list, bound(table.list, `list${index}`)),
      inState ? eq(byState.state, bound(byState.state, 'state')) : undefined,
      eq(table.kind, sql.raw(String(kind))),
      sql`(${table.nameKey}, ${table.firstKey}, ${table.npi}) > (+${$('afterName')}, +${$('afterFirst')}, +${$('afterNpi')})`,
      sql`${table.nameKey} < +${$('before')}`,
      names === 'prefix' ? elsewhere(table, kind) : undefined,
    );
    return sql`SELECT ${table.nameKey}, ${table.firstKey}, ${table.npi} FROM ${table} WHERE ${condition}`;
  };
  const indexes = Array.from({ length: lists }, (_, index) => index);
  return indexes.flatMap((index) => KINDS[names].map((kind) => range(index, kind)));
}

/** That a row is not left out because its clinician is found by another name of his in the range. */
type Elsewhere = (table: typeof byName | typeof byState, kind: number) => SQL | undefined;

function noOtherName(table: typeof byName | typeof byState, where: SQL | undefined): SQL {
  const inRange = and(
    eq(severalNames.npi, table.npi),
    gte(severalNames.nameKey, bound(severalNames.nameKey, 'from')),
    where,
  );
  return sql`NOT EXISTS (SELECT 1 FROM ${severalNames} WHERE ${inRange})`;
}

/** On a page one is given at the smallest of the names in the range. */
const smallestCounts: Elsewhere = (table) =>
  noOtherName(
    table,
    and(lt(severalNames.nameKey, table.nameKey), lt(severalNames.kind, sql.raw(String(KIND.firstPart)))),
  );

/** For counting it is the whole surname where that is in the range: then few rows need a look at other names. */
const wholeCounts: Elsewhere = (table, kind) =>
  kind === KIND.whole
    ? undefined
    : noOtherName(
        table,
        and(
          sql`${severalNames.nameKey} < +${$('before')}`,
          or(
            eq(severalNames.kind, sql.raw(String(KIND.whole))),
            and(eq(severalNames.kind, sql.raw(String(KIND.other))), lt(severalNames.nameKey, table.nameKey)),
          ),
        ),
      );

/**
 * The first rows of several ranges together, in order. Who has two of the codes stands in two of the lists, with the same
 * key: UNION drops the second in passing, which it does only where there is an order. Within one list nobody is twice.
 */
function merged(shape: Shape, elsewhere: Elsewhere): SQL {
  const together = shape.lists === 1 ? sql` UNION ALL ` : sql` UNION `;
  return sql`${sql.join(ranges(shape, elsewhere), together)} ORDER BY 1, 2, 3 LIMIT +${$('rows')}`;
}

function preparePage(orm: Orm, shape: Shape) {
  return orm
    .select({
      nameKey: sql<string>`found.name_key`,
      firstKey: sql<string>`found.first_key`,
      npi: sql<number>`found.npi`,
    })
    .from(sql`(${merged(shape, smallestCounts)}) AS found`)
    .orderBy(sql`found.name_key`, sql`found.first_key`, sql`found.npi`)
    .prepare();
}

function prepareCount(orm: Orm, shape: Shape) {
  const found =
    shape.lists === 1
      ? sql`${sql.join(ranges(shape, wholeCounts), sql` UNION ALL `)} LIMIT +${$('rows')}`
      : merged(shape, wholeCounts);
  return orm.select({ clinicians: sql<number>`count(*)` }).from(sql`(${found})`).prepare();
}

/** What of the registry a search looks at. */
export interface Range {
  /** The lists that are merged, one or more. */
  lists: readonly number[];
  state: string | undefined;
  names: Names;
  /** The name keys from here (inclusive) to there (exclusive). */
  from: string;
  before: string;
}

/** Where a row stands in the order of a search. */
export interface PagePosition {
  nameKey: string;
  firstKey: string;
  npi: number;
}

/** What the registry is as of now: a weekly update changes it in place. Null for a file that does not say it. */
export function factsOf(snapshot: Snapshot): Promise<RegistryFacts | null> {
  return query(snapshot, (sql) => sql.facts.get() ?? null);
}

/** Those of these clinicians whom the registry has, in their order. */
export function selectClinicians(snapshot: Snapshot, npis: readonly number[]): Promise<ClinicianRow[]> {
  return query(snapshot, ({ byNpi }) => {
    const rows: ClinicianRow[] = [];
    for (const npi of npis) {
      const row = byNpi.get({ npi });
      if (row !== undefined) rows.push(row);
    }
    return rows;
  });
}

/** The keys of the clinicians of a range behind a place, in the order of the key that they were found by, first name and NPI. */
export function selectPage(
  snapshot: Snapshot,
  range: Range,
  after: PagePosition | undefined,
  rows: number,
): Promise<PagePosition[]> {
  const values = { ...valuesOf(range, after), rows };
  return query(snapshot, ({ page }) =>
    page(shapeOf(range))
      .values(values)
      .map(([nameKey, firstKey, npi]) => ({
        nameKey: String(nameKey),
        firstKey: String(firstKey),
        npi: Number(npi),
      })),
  );
}

/** The count that is kept of a list, in a state or of all (`ANYWHERE`). */
export function storedCount(snapshot: Snapshot, list: number, state: string): Promise<number> {
  return query(snapshot, (sql) => sql.count.get({ list, state })?.clinicians ?? 0);
}

/** How many clinicians a range has, counting no further than `rows`. */
export function countUpTo(snapshot: Snapshot, range: Range, rows: number): Promise<number> {
  const values = { ...valuesOf(range, undefined), rows };
  return query(snapshot, (sql) => sql.countUpTo(shapeOf(range)).get(values)?.clinicians ?? 0);
}

function shapeOf({ lists, state, names }: Range): Shape {
  return { lists: lists.length, inState: state !== undefined, names };
}

function valuesOf(
  { lists, state, from, before }: Range,
  after: PagePosition | undefined,
): Record<string, unknown> {
  return {
    ...Object.fromEntries(lists.map((list, index) => [`list${index}`, list])),
    state,
    from,
    before,
    afterName: after?.nameKey ?? from,
    afterFirst: after?.firstKey ?? '',
    afterNpi: after?.npi ?? 0,
  };
}
