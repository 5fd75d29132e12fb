import { Database, type Statement } from 'bun:sqlite';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EVERYBODY, registrySchema } from '../../../db/staffing/registry/schema.ts';
import { Failure } from '../../platform/failure.ts';
import { syncPath } from '../../platform/files/write.ts';
import { randomBase62 } from '../../platform/ids.ts';
import { problemsIn } from '../../platform/store/migrations/integrity.ts';
import { entryOf, type Labels, labelsOf } from './entry.ts';
import { type ClinicianRecord, isAccepted, type RefusedRecords } from './record.ts';
import sortSql from './sort.sql' with { type: 'text' };
import stageSql from './stage.sql' with { type: 'text' };
import { specialtiesOf } from './vocabulary/specialties.ts';
import type { TaxonomyEntry } from './vocabulary/taxonomy.ts';

export interface RegistryOptions {
  /** The date of the data, YYYY-MM-DD. */
  asOf: string;
  /** True if the clinicians are fictitious. */
  sample: boolean;
  taxonomy: readonly TaxonomyEntry[];
}

/** The result: the file's name, the number of its clinicians, and the refused records. */
export interface Built {
  name: string;
  records: number;
  refused: RefusedRecords;
}

/**
 * Writes a registry file into `directory` under a unique name. It collects the records in a temporary file and then writes them
 * sorted. The registry file appears only when it is complete and durable.
 */
export class RegistryBuilder {
  private readonly name: string;
  private readonly scratch: string;
  private readonly database: Database;
  private readonly arrive: Statement;
  private readonly giveName: Statement;
  private readonly lists = new Map<string, { list: number; listed: boolean }>();
  private readonly labels: Labels;
  private readonly common = new Map<string, number>();
  private readonly seen = new Uint8Array(NPIS / 8);
  private records = 0;
  private readonly refused: RefusedRecords = { count: 0, examples: [] };

  constructor(
    private readonly directory: string,
    private readonly options: RegistryOptions,
  ) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.labels = labelsOf(specialtiesOf(options.taxonomy));
    this.name = `${options.asOf}-${randomBase62(8).toLowerCase()}.db`;
    this.scratch = join(directory, `${this.name}.scratch`);
    this.database = new Database(this.scratch, { create: true, readwrite: true, strict: true });
    this.database.exec(`
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA cache_size = -65536;
      PRAGMA application_id = ${registrySchema.applicationId};
      PRAGMA user_version = ${registrySchema.format};
    `);
    this.database.exec(registrySchema.sql);
    this.database.run('ATTACH ? AS stage', [`${this.scratch}.stage`]);
    this.database.exec('PRAGMA stage.journal_mode = OFF; PRAGMA stage.synchronous = OFF;');
    this.database.exec(stageSql);
    this.database.run('BEGIN');
    this.writeTaxonomy();
    this.arrive = this.database.prepare(
      'INSERT INTO stage.arrived VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.giveName = this.database.prepare('INSERT INTO stage.name VALUES (?, ?, ?, ?, ?, ?, ?)');
  }

  /**
   * Adds a clinician; only the members of ClinicianRecord are read. Returns false without adding for a duplicate NPI, and for a record
   * with an invalid field, which `finish` reports.
   */
  add(record: ClinicianRecord): boolean {
    if (!isAccepted(record, this.refused) || !this.isFirst(record.npi)) return false;
    const { columns, codes, names, state, firstKey } = entryOf(record);
    this.arrive.run(...columns);
    const common = this.common.get(codes) ?? this.newCommon(codes);
    const several = names.length > 1 ? 1 : 0;
    for (const { key, kind } of names) {
      this.giveName.run(common, kind, several, state, key, firstKey, record.npi);
    }
    this.records++;
    return true;
  }

  /** Completes the file and gives it its final name. @throws Failure when the written file is damaged */
  finish(): Built {
    const { database, directory, scratch, name, records, refused, options } = this;
    const fresh = `${scratch}.new`;
    database
      .query('INSERT INTO registry VALUES (?, ?, ?)')
      .run(options.asOf, records, options.sample ? 1 : 0);
    database.exec(sortSql);
    database.run('COMMIT');
    database.run('DETACH stage');
    rmSync(`${scratch}.stage`, { force: true });
    // Inserting leaves a tenth of each page empty; VACUUM fills the pages, which also speeds up searches.
    database.run('VACUUM INTO ?', [fresh]);
    this.discardScratch();
    const problem = checkAndPrepare(fresh);
    if (problem !== undefined) {
      rmSync(fresh, { force: true });
      throw new Failure(`the registry that was written is damaged: ${problem}`, 'check that the disk works');
    }
    syncPath(fresh);
    renameSync(fresh, join(directory, name));
    syncPath(directory);
    return { name, records, refused };
  }

  /** Aborts and removes all files. */
  discard(): void {
    this.discardScratch();
    for (const end of ['.new', '.new-wal', '.new-shm']) rmSync(`${this.scratch}${end}`, { force: true });
  }

  private discardScratch(): void {
    this.arrive.finalize();
    this.giveName.finalize();
    this.database.close();
    for (const end of ['', '.stage']) rmSync(`${this.scratch}${end}`, { force: true });
  }

  /** Marks an NPI as seen in a bitmap, which has a bit for every NPI without its check digit. @returns whether it is new */
  private isFirst(npi: number): boolean {
    const index = Math.floor(npi / 10) - LOWEST_NPI / 10;
    const byte = this.seen[index >> 3] ?? 0;
    const bit = 1 << (index & 7);
    this.seen[index >> 3] = byte | bit;
    return (byte & bit) === 0;
  }

  private writeTaxonomy(): void {
    const { taxonomy } = this.options;
    const insert = this.database.query('INSERT INTO taxonomy VALUES (?, ?, ?, ?, ?)');
    this.list(EVERYBODY, true);
    for (const { code, grouping, classification, specialization, name } of taxonomy) {
      insert.run(code, grouping, classification, specialization, name);
      this.list(code, true);
    }
    for (const { label, listed } of this.labels.compound) this.list(label, listed);
  }

  /** Returns the list of a label; creates it at the first use. */
  private list(label: string, listed: boolean): { list: number; listed: boolean } {
    const known = this.lists.get(label);
    if (known !== undefined) return known;
    const fresh = { list: this.lists.size, listed };
    this.lists.set(label, fresh);
    this.database.query('INSERT INTO list VALUES (?, ?, ?)').run(fresh.list, label, listed ? 1 : 0);
    return fresh;
  }

  private newCommon(joined: string): number {
    const common = this.common.size;
    this.common.set(joined, common);
    const insert = this.database.query('INSERT INTO stage.member VALUES (?, ?, ?)');
    for (const label of this.labels.of(joined)) {
      const { list, listed } = this.list(label, true);
      insert.run(common, list, listed ? 1 : 0);
    }
    return common;
  }
}

const LOWEST_NPI = 1_000_000_000;
/** The number of NPIs that begin with 1 or 2, without the check digit. */
const NPIS = 200_000_000;

/** Builds a registry file from clinicians; the first record with an NPI counts. See RegistryBuilder. */
export function buildRegistry(
  directory: string,
  records: Iterable<ClinicianRecord>,
  options: RegistryOptions,
): Built {
  const builder = new RegistryBuilder(directory, options);
  try {
    for (const record of records) builder.add(record);
    return builder.finish();
  } catch (error) {
    builder.discard();
    throw error;
  }
}

/** Checks a written file and prepares it for concurrent reads and changes. @returns its problem; undefined for none */
function checkAndPrepare(path: string): string | undefined {
  const database = new Database(path, { readwrite: true, strict: true });
  try {
    const [problem] = problemsIn(database, 'quick');
    database.run('PRAGMA journal_mode = WAL');
    return problem;
  } finally {
    database.close();
  }
}
