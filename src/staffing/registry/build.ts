import { Database } from 'bun:sqlite';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BASE, LIST, registrySchema } from '../../../db/staffing/registry/schema.ts';
import { Failure } from '../../platform/failure.ts';
import { syncPath } from '../../platform/files/write.ts';
import { ownCopyOf } from '../../platform/memory/own-copy.ts';
import { RowMemory } from '../../platform/memory/row-memory.ts';
import { type Connection, connectionOn } from '../../platform/store/connection.ts';
import { problemsIn } from '../../platform/store/migrations/integrity.ts';
import { Interned } from './build/interned.ts';
import { writeNearNames } from './build/near-names.ts';
import { People } from './build/people.ts';
import { codesText, recordTexts } from './build/render.ts';
import { type Numbers, type Progress, writeSegmentPair } from './build/segments.ts';
import { SpilledTexts } from './build/spilled-texts.ts';
import { insertCodes, insertList } from './build/store.ts';
import { recordFullImport } from './changes.ts';
import { newRegistryName } from './current.ts';
import { entryOf, type Labels, labelsOf } from './entry.ts';
import { type ClinicianRecord, isAccepted, type RefusedRecords } from './record.ts';
import { insertFacts, insertTaxonomy } from './store.ts';
import { type Specialties, specialtiesOf } from './vocabulary/specialties.ts';
import type { TaxonomyEntry } from './vocabulary/taxonomy.ts';

export interface RegistryOptions {
  /** The date of the data, YYYY-MM-DD. */
  asOf: string;
  /** True if the clinicians are fictitious; null to decide by their NPIs. */
  sample: boolean | null;
  taxonomy: readonly TaxonomyEntry[];
  /** The groupings to which the clinicians are limited; null for all. */
  groupings: readonly string[] | null;
  /** When the registry is built, RFC 3339. */
  at: string;
  /**
   * The path of the file that this one is to replace, whose history it continues; null or absent for none.
   */
  previous?: string | null;
}

/**
 * The result: the file's name, the number of its clinicians, the refused records, and the number of repeated
 * NPIs.
 */
export interface Built {
  name: string;
  records: number;
  /** True if the clinicians are fictitious; null if there are none and the options do not say it. */
  sample: boolean | null;
  refused: RefusedRecords;
  duplicates: number;
}

const LOWEST_NPI = 1_000_000_000;
/** NPIs of fictitious clinicians begin with 2. */
const FICTITIOUS = 2_000_000_000;
/** The number of NPIs that begin with 1 or 2, without the check digit. */
const NPIS = 200_000_000;

/**
 * The texts of sets of codes that are kept, because they take a kilobyte each. The first sets that come are
 * those of nearly all clinicians; a file has hundreds of thousands of others.
 */
const MOST_CODES_TEXTS = 8192;

/**
 * Writes a registry file into `directory` under a unique name. It keeps what it sorts by in memory, about 150
 * bytes for each clinician, and the texts in a scratch file. The registry file appears only when it is
 * complete and durable.
 */
export class RegistryBuilder {
  /** The name that the file will have. */
  readonly name: string;
  private readonly scratch: string;
  private readonly people = new People();
  private readonly texts: SpilledTexts;
  private readonly specialties: Specialties;
  private readonly labels: Labels;
  private readonly codesTexts = new Map<string, string>();
  private readonly seen = new Uint8Array(NPIS / 8);
  private readonly refused: RefusedRecords = { count: 0, examples: [] };
  private readonly memory = new RowMemory();
  private duplicates = 0;
  /** The number of clinicians whose NPI is not fictitious. */
  private real = 0;

  constructor(
    private readonly directory: string,
    private readonly options: RegistryOptions,
  ) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.specialties = specialtiesOf(options.taxonomy);
    this.labels = labelsOf(this.specialties);
    this.name = newRegistryName(options.asOf);
    this.scratch = join(directory, `${this.name}.scratch`);
    this.texts = new SpilledTexts(`${this.scratch}-texts`);
  }

  /**
   * Adds a clinician; only the members of ClinicianRecord are read. Returns false without adding for a
   * duplicate NPI, and for a record with an invalid field, which `finish` reports.
   */
  add(record: ClinicianRecord): boolean {
    if (!isAccepted(record, this.refused)) return false;
    if (!this.isFirst(record.npi)) {
      this.duplicates++;
      return false;
    }
    if (record.npi < FICTITIOUS) this.real++;
    const entry = entryOf(record);
    const texts = recordTexts(entry.columns);
    this.people.add(entry, `${texts.head}${this.codesTextOf(entry.codes)}${texts.tail}`);
    this.texts.add(texts);
    this.memory.used();
    return true;
  }

  /** Completes the file and gives it its final name. @throws Failure when the written file is damaged */
  finish(progress: Progress = () => undefined): Built {
    const { directory, name, people, refused, duplicates } = this;
    const database = this.newDatabase();
    try {
      database.run('BEGIN');
      this.write(connectionOn(database), progress);
      database.run('COMMIT');
    } finally {
      database.close();
    }
    this.texts.discard();
    progress('check', 0);
    const problem = checkAndPrepare(this.scratch);
    if (problem !== null) {
      this.discard();
      throw new Failure(`the registry that was written is damaged: ${problem}`, 'check that the disk works');
    }
    progress('sync', 0);
    syncPath(this.scratch);
    renameSync(this.scratch, join(directory, name));
    syncPath(directory);
    return { name, records: people.count, sample: this.sample, refused, duplicates };
  }

  private get sample(): boolean | null {
    const { options, people, real } = this;
    return options.sample ?? (people.count === 0 ? null : real === 0);
  }

  /** Aborts and removes all files. */
  discard(): void {
    this.texts.discard();
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${this.scratch}${end}`, { force: true });
  }

  /**
   * Creates the file. SQLite copies rows when its trees grow: `secure_delete` leaves no copy, which no
   * removal would find.
   */
  private newDatabase(): Database {
    const database = new Database(this.scratch, { create: true, readwrite: true, strict: true });
    database.exec(`
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA secure_delete = FAST;
      PRAGMA cache_size = -65536;
      PRAGMA application_id = ${registrySchema.applicationId};
      PRAGMA user_version = ${registrySchema.format};
    `);
    database.exec(registrySchema.sql);
    return database;
  }

  private write(connection: Connection, progress: Progress): void {
    const { options, people, texts, labels } = this;
    const { asOf, groupings, taxonomy, at } = options;
    const sample = this.sample === true;
    insertFacts.on(connection, {
      asOf,
      records: people.count,
      sample,
      groupings: groupings === null ? null : JSON.stringify(groupings),
    });
    for (const entry of taxonomy) insertTaxonomy.on(connection, entry);
    const numbers = this.newNumbers();
    // The lists that every file has come first, so that their numbers are small.
    for (const label of [LIST.later, LIST.firstPart, LIST.dead]) numbers.list(label);
    for (const { label } of labels.compound) numbers.list(LIST.specialty(label));
    for (const { code } of taxonomy) numbers.list(LIST.specialty(code));
    writeSegmentPair(connection, BASE.whole, people, texts, numbers, labels, progress);
    numbers.write(connection, (joined) => this.codesTextOf(joined));
    progress('near names', 0);
    writeNearNames(connection, people, sample);
    progress('history', 0);
    recordFullImport(connection, options.previous ?? null, at, asOf);
  }

  private newNumbers(): Numbers & {
    write(connection: Connection, textOf: (joined: string) => string): void;
  } {
    const lists = new Interned();
    const codes = new Interned();
    const memory = new RowMemory();
    return {
      list: (label) => lists.numberOf(label),
      codes: (joined) => codes.numberOf(joined),
      write(connection, textOf) {
        for (let list = 0; list < lists.size; list++) {
          insertList.on(connection, { list, label: lists.textOf(list) });
          memory.used();
        }
        for (let set = 0; set < codes.size; set++) {
          const joined = codes.textOf(set);
          insertCodes.on(connection, { codes: set, joined, text: textOf(joined) });
          memory.used();
        }
      },
    };
  }

  private codesTextOf(joined: string): string {
    const known = this.codesTexts.get(joined);
    if (known !== undefined) return known;
    const text = codesText(joined, this.specialties);
    if (this.codesTexts.size < MOST_CODES_TEXTS) this.codesTexts.set(ownCopyOf(joined), ownCopyOf(text));
    return text;
  }

  /**
   * Marks an NPI as seen in a bitmap, which has a bit for every NPI without its check digit. @returns whether
   * it is new
   */
  private isFirst(npi: number): boolean {
    const index = Math.floor(npi / 10) - LOWEST_NPI / 10;
    const byte = this.seen[index >> 3] ?? 0;
    const bit = 1 << (index & 7);
    this.seen[index >> 3] = byte | bit;
    return (byte & bit) === 0;
  }
}

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

/**
 * Checks a written file and prepares it for concurrent reads and changes. @returns its problem; null for none
 */
function checkAndPrepare(path: string): string | null {
  const database = new Database(path, { readwrite: true, strict: true });
  try {
    const [problem] = problemsIn(database, 'quick');
    database.run('PRAGMA journal_mode = WAL');
    return problem ?? null;
  } finally {
    database.close();
  }
}
