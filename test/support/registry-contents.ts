import { CHANGE } from '../../db/staffing/registry/schema.ts';
import { StoredClinicians } from '../../src/staffing/registry/amend/stored.ts';
import { closeRegistry, openRegistry, type Registry } from '../../src/staffing/registry/open.ts';
import {
  type Filters,
  type PagePosition,
  questionOf,
  recordTextOf,
  specialtyIn,
} from '../../src/staffing/registry/search.ts';

/** What a registry file says of itself, and its clinicians with all their names. */
export interface Contents {
  asOf: string;
  records: number;
  clinicians: [npi: number, digest: number, names: string[], record: string][];
}

function reading<T>(path: string, body: (registry: Registry) => T): T {
  const registry = openRegistry(path);
  try {
    return registry.atOnce(() => body(registry));
  } finally {
    closeRegistry(registry);
  }
}

/** Returns the contents of a file, without the numbers of its segments. */
export function contentsOf(path: string): Contents {
  return reading(path, (registry) => {
    const { sqlite } = registry.connection;
    const facts = sqlite.query<{ as_of: string; records: number }, []>('SELECT * FROM registry').get();
    const stored = new StoredClinicians(registry.connection);
    const pairs = stored.pairs();
    const npis = new Set(
      pairs.flatMap((even) => [...stored.cliniciansOf(even)].map(({ entry: { columns } }) => columns[0])),
    );
    const clinicians = [...npis].sort().map((npi): Contents['clinicians'][number] => {
      const version = stored.newestIn(pairs, npi);
      if (version === null) throw new Error(`${npi} has no version`);
      const { entry, head, codesText, tail } = stored.read(version);
      const names = entry.names.map(({ key, kind }) => `${kind} ${key}`);
      expectSame(head + codesText + tail, textOf(registry, npi));
      return [npi, version.digest, names, head + codesText + tail];
    });
    return { asOf: facts?.as_of ?? '', records: facts?.records ?? 0, clinicians };
  });
}

function expectSame(left: string, right: string | undefined): void {
  if (left !== right) throw new Error(`${left} is not ${right}`);
}

function textOf(registry: Registry, npi: number): string | undefined {
  const row = registry.engine.clinician(npi);
  return row === null ? undefined : recordTextOf(registry, row);
}

/** Returns the public records of a file, by NPI. */
export function recordsOf(path: string): Map<number, string> {
  return new Map(contentsOf(path).clinicians.map(([npi, , , record]) => [npi, record]));
}

const NO_FILTER: Filters = {
  state: null,
  specialty: null,
  surname: null,
  exact: false,
  city: null,
  postalCode: null,
  firstName: null,
  npis: null,
};

/** Returns the NPIs and totals of many searches, each page by page. */
export function searches(path: string): Record<string, unknown> {
  return reading(path, (registry) => {
    const found: Record<string, unknown> = {};
    for (const [name, some] of Object.entries(FILTERS(registry))) {
      const question = questionOf({ ...NO_FILTER, ...some });
      const npis: number[] = [];
      for (let after: PagePosition | null = null; ; ) {
        const page = registry.engine.page(question, after, 7);
        npis.push(...page.rows.map(({ npi }) => npi));
        after = page.last;
        if (!page.hasMore) break;
      }
      found[name] = { npis, total: registry.engine.count(question) };
    }
    return found;
  });
}

const FILTERS = (registry: Registry): Record<string, Partial<Filters>> => {
  const nurses = specialtyIn(registry, 'RN');
  return {
    all: {},
    nurses: { specialty: nurses },
    texas: { state: 'TX' },
    'nurses in California': { specialty: nurses, state: 'CA' },
    janes: { firstName: 'J' },
    ...Object.fromEntries(
      [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((letter) => [
        [`${letter}…`, { surname: letter }],
        [`${letter}… in Texas`, { surname: letter, state: 'TX' }],
      ]),
    ),
    ...Object.fromEntries(
      ['SMITH', 'JOHNSON', 'GARCIA', 'NGUYEN', 'LEE', 'LOPEZ'].flatMap((surname) => [
        [surname, { surname, exact: true }],
        [`${surname}…`, { surname }],
      ]),
    ),
  };
};

/** Returns the changes of a file after a sequence number, and the last sequence number. */
export function changesAfter(path: string, since: number) {
  return reading(path, ({ connection: { sqlite } }) => {
    const changes = sqlite
      .query<{ npi: number; kind: number }, [number]>(
        'SELECT npi, kind FROM change WHERE sequence > ? ORDER BY sequence',
      )
      .all(since);
    const row = sqlite
      .query<{ last: number }, []>(
        'SELECT max((SELECT max(first) FROM revision), coalesce((SELECT max(sequence) FROM change), 0)) AS last',
      )
      .get();
    return { changes, last: row?.last ?? 0 };
  });
}

/** Returns the kinds of the revisions of a file, in order. */
export function revisionsOf(path: string): string[] {
  return reading(path, ({ connection: { sqlite } }) =>
    sqlite
      .query<{ kind: string }, []>('SELECT kind FROM revision ORDER BY first')
      .all()
      .map(({ kind }) => kind),
  );
}

/**
 * Returns an old copy of the records after the changes were made to it, with the records as a file has them
 * now.
 */
export function replay(
  old: ReadonlyMap<number, string>,
  changes: readonly { npi: number; kind: number }[],
  path: string,
): Map<number, string> {
  const now = recordsOf(path);
  const copy = new Map(old);
  for (const { npi, kind } of changes) {
    const record = now.get(npi);
    if (kind === CHANGE.removed) copy.delete(npi);
    else if (record !== undefined) copy.set(npi, record);
  }
  return new Map([...copy].sort(([left], [right]) => left - right));
}
