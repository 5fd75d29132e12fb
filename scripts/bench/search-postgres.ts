import type { ClinicianRecord } from '../../src/staffing/registry/record.ts';
import { fold } from '../../src/staffing/registry/vocabulary/names.ts';
import { type Specialties, specialtiesOf } from '../../src/staffing/registry/vocabulary/specialties.ts';
import { embeddedTaxonomy } from '../../src/staffing/registry/vocabulary/taxonomy.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import type { Question } from './search-mix.ts';

/** The same clinicians in PostgreSQL, with an index for each filter and for state and specialty together. */
export interface PostgresRegistry {
  /** Runs a query: up to `limit` rows after a position, and the total when the query asks for it. */
  ask(
    question: Question,
    after: Position | null,
    limit: number,
  ): Promise<{ npis: number[]; total: number | null }>;
  /** Processor time of the server process so far, in milliseconds. */
  processId: number;
  stop(): Promise<void>;
}

/** The position of a clinician in the order of a search. */
export type Position = readonly [nameKey: string, firstKey: string, npi: number];

const TABLES = `
  CREATE UNLOGGED TABLE clinician (
    npi bigint, name_key text COLLATE "C", first_key text COLLATE "C", state text, city_key text, postal text, record text);
  CREATE UNLOGGED TABLE member (label text, state text, name_key text COLLATE "C", first_key text COLLATE "C", npi bigint);
`;

const INDEXES = `
  ALTER TABLE clinician ADD PRIMARY KEY (npi);
  CREATE INDEX ON clinician (name_key, first_key, npi);
  CREATE INDEX ON clinician (state, name_key, first_key, npi);
  CREATE INDEX ON clinician (city_key, name_key, first_key, npi);
  CREATE INDEX ON clinician (postal, name_key, first_key, npi);
  CREATE INDEX ON clinician (left(postal, 3), name_key, first_key, npi);
  CREATE INDEX ON clinician (first_key, name_key, npi);
  CREATE INDEX ON member (label, name_key, first_key, npi);
  CREATE INDEX ON member (label, state, name_key, first_key, npi);
  VACUUM ANALYZE;
`;

/**
 * Loads clinicians into PostgreSQL. A specialty of several codes is stored like one of one code, so that it
 * is one range of an index; names other than the whole surname are left out, which makes its work smaller.
 */
export async function loadPostgres(clinicians: () => Iterable<ClinicianRecord>): Promise<PostgresRegistry> {
  const postgres = await startPostgres();
  const specialties = specialtiesOf(embeddedTaxonomy());
  await postgres.sql.unsafe(TABLES);
  await postgres.copy('clinician', clinicianLines(clinicians()));
  await postgres.copy('member', memberLines(clinicians(), specialties));
  for (const statement of INDEXES.split(';').filter((text) => text.trim() !== ''))
    await postgres.sql.unsafe(statement);
  const [{ pid }] = await postgres.sql.unsafe('SELECT pg_backend_pid() AS pid');
  return {
    processId: Number(pid),
    ask: (question, after, limit) => ask(postgres, specialties, question, after, limit),
    stop: () => postgres.stop(),
  };
}

function* clinicianLines(clinicians: Iterable<ClinicianRecord>): Generator<string> {
  for (const one of clinicians) {
    const columns = [
      one.npi,
      fold(one.lastName),
      fold(one.firstName ?? ''),
      one.state,
      one.city === null ? null : fold(one.city),
      one.postalCode?.slice(0, 5) ?? null,
      JSON.stringify(one),
    ];
    yield columns
      .map((column) => (column === null ? '\\N' : String(column).replaceAll('\\', '\\\\')))
      .join('\t');
  }
}

function* memberLines(clinicians: Iterable<ClinicianRecord>, specialties: Specialties): Generator<string> {
  const labels = new Map<string, string[]>();
  for (const { label, codes } of specialties.compound)
    for (const code of codes) labels.set(code, [...(labels.get(code) ?? []), label]);
  for (const one of clinicians) {
    const own = new Set(one.codes.flatMap((code) => [code, ...(labels.get(code) ?? [])]));
    for (const label of own)
      yield [label, one.state ?? '\\N', fold(one.lastName), fold(one.firstName ?? ''), one.npi].join('\t');
  }
}

async function ask(
  { sql }: Postgres,
  specialties: Specialties,
  question: Question,
  after: Position | null,
  limit: number,
) {
  const values: unknown[] = [];
  const value = (one: unknown): string => `$${values.push(one)}`;
  const specialty = question.specialty === undefined ? null : specialties.resolve(question.specialty);
  const key = specialty === null ? 'c' : 's';
  const conditions = [
    ...(specialty === null ? [] : [`s.label = ${value(specialty.label)}`]),
    ...(question.state === undefined ? [] : [`${key}.state = ${value(question.state)}`]),
    ...(question.city === undefined ? [] : [`c.city_key = ${value(fold(question.city))}`]),
    ...postalCondition(question.postal_code, value),
    ...(question.first_name === undefined ? [] : [`${key}.first_key ^@ ${value(fold(question.first_name))}`]),
    ...surnameCondition(question, key, value),
  ];
  const from = specialty === null ? 'clinician c' : 'member s JOIN clinician c USING (npi)';
  const position =
    after === null
      ? []
      : [`(${key}.name_key, ${key}.first_key, ${key}.npi) > (${after.map(value).join(', ')})`];
  const where = (some: string[]): string => (some.length === 0 ? '' : `WHERE ${some.join(' AND ')}`);
  const order = `${key}.name_key, ${key}.first_key, ${key}.npi`;
  const counted = values.length - position.length * 3;
  const rows = await sql.unsafe(
    `SELECT ${key}.npi, c.record FROM ${from} ${where([...conditions, ...position])} ORDER BY ${order} LIMIT ${limit}`,
    values,
  );
  const total =
    question.include_total === undefined
      ? null
      : Number(
          (await sql.unsafe(`SELECT count(*) FROM ${from} ${where(conditions)}`, values.slice(0, counted)))[0]
            .count,
        );
  return { npis: rows.map(({ npi }: { npi: unknown }) => Number(npi)), total };
}

function postalCondition(postal: string | undefined, value: (one: unknown) => string): string[] {
  if (postal === undefined) return [];
  return postal.length === 3 ? [`left(c.postal, 3) = ${value(postal)}`] : [`c.postal = ${value(postal)}`];
}

function surnameCondition(
  { surname, match }: Question,
  key: string,
  value: (one: unknown) => string,
): string[] {
  if (surname === undefined) return [];
  if (match === 'exact') return [`${key}.name_key = ${value(fold(surname))}`];
  const folded = fold(surname);
  return [`${key}.name_key >= ${value(folded)} AND ${key}.name_key < ${value(`${folded}~`)}`];
}
