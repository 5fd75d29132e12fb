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

/** The public columns by name; no other column is read. */
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

/** A clinician in a registry file: the public fields. */
export type ClinicianRow = typeof clinician.$inferSelect;

/** The metadata of a registry file. */
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

/** The names to search: only whole surnames, all names by prefix, or all names by exact match. */
export type Names = 'whole' | 'prefix' | 'exact';

/** The shape of a search's statement, without its values. */
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
 * Returns the sorted index ranges of a search: one for each list and kind of name. SQLite merges them and reads only the rows that
 * the page needs.
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

/** Returns the condition that excludes a row when another name in the range finds the same clinician. */
type Elsewhere = (table: typeof byName | typeof byState, kind: number) => SQL | undefined;

function noOtherName(table: typeof byName | typeof byState, where: SQL | undefined): SQL {
  const inRange = and(
    eq(severalNames.npi, table.npi),
    gte(severalNames.nameKey, bound(severalNames.nameKey, 'from')),
    where,
  );
  return sql`NOT EXISTS (SELECT 1 FROM ${severalNames} WHERE ${inRange})`;
}

/** The condition of a page: a clinician appears at the smallest matching name. */
const smallestCounts: Elsewhere = (table) =>
  noOtherName(
    table,
    and(lt(severalNames.nameKey, table.nameKey), lt(severalNames.kind, sql.raw(String(KIND.firstPart)))),
  );

/** The condition of a count: a clinician counts at a whole surname in the range first, so that few rows need a check of other names. */
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
 * Merges the first rows of several ranges in order. A clinician with two of the codes is in two lists with the same key; UNION removes
 * the duplicate during the merge, which requires an order. One list has no duplicates.
 */
function merged(shape: Shape, elsewhere: Elsewhere): SQL {
  const together = shape.lists === 1 ? sql` UNION ALL ` : sql` UNION `;
  return sql`${sql.join(ranges(shape, elsewhere), together)} ORDER BY 1, 2, 3 LIMIT +${$('limit')}`;
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
      ? sql`${sql.join(ranges(shape, wholeCounts), sql` UNION ALL `)} LIMIT +${$('limit')}`
      : merged(shape, wholeCounts);
  return orm.select({ clinicians: sql<number>`count(*)` }).from(sql`(${found})`).prepare();
}

/** The index range of a search. */
export interface Range {
  /** One or more lists to merge. */
  lists: readonly number[];
  state: string | undefined;
  names: Names;
  /** The name keys from here (inclusive) to there (exclusive). */
  from: string;
  before: string;
}

/** The position of a row in the order of a search. */
export interface PagePosition {
  nameKey: string;
  firstKey: string;
  npi: number;
}

/** Returns the current metadata, which weekly updates change in place; null for a file without it. */
export function factsOf(snapshot: Snapshot): Promise<RegistryFacts | null> {
  return query(snapshot, (sql) => sql.facts.get() ?? null);
}

/** Returns the rows of the given clinicians in their order, without missing ones. */
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

/** Returns the positions of a range after a position, by matched key, first name and NPI. */
export function selectPage(
  snapshot: Snapshot,
  range: Range,
  after: PagePosition | undefined,
  limit: number,
): Promise<PagePosition[]> {
  const values = { ...valuesOf(range, after), limit };
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

/** Returns the stored count of a list in a state, or in all states (`ANYWHERE`). */
export function storedCount(snapshot: Snapshot, list: number, state: string): Promise<number> {
  return query(snapshot, (sql) => sql.count.get({ list, state })?.clinicians ?? 0);
}

/** Counts the clinicians of a range, up to `limit`. */
export function countUpTo(snapshot: Snapshot, range: Range, limit: number): Promise<number> {
  const values = { ...valuesOf(range, undefined), limit };
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
