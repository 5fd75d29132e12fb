import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { registrySchema } from '../../../db/staffing/registry/schema.ts';
import { Failure } from '../../platform/failure.ts';
import { openReader } from '../../platform/store/connection.ts';
import { type Snapshot, snapshotOf } from '../../platform/store/transaction.ts';
import { HINT } from './description.ts';
import { ChangeStore } from './search/changes-store.ts';
import { SearchEngine } from './search/engine.ts';
import { ListStore } from './search/lists-store.ts';
import { OrdinalStore } from './search/ordinals-store.ts';
import { RowStore } from './search/rows-store.ts';
import { factsOf, taxonomyIn } from './store.ts';
import { type Specialties, specialtiesOf } from './vocabulary/specialties.ts';
import type { TaxonomyEntry } from './vocabulary/taxonomy.ts';

/** The description of a registry in responses. */
export interface RegistryInfo {
  /** YYYY-MM-DD. */
  as_of: string;
  records: number;
  /** True if the clinicians are fictitious. */
  sample: boolean;
}

/** A registry file, open for reading. */
export interface Registry extends Snapshot {
  readonly name: string;
  readonly path: string;
  readonly specialties: Specialties;
  readonly engine: SearchEngine;
  readonly changes: ChangeStore;
  /**
   * Runs `body` in one read transaction: everything that it reads is of one state of the file. `body` must
   * not await.
   */
  readonly atOnce: <T>(body: () => T) => T;
  /**
   * Maps the file into memory, which halves the time of reading rows. A mapped page that cannot be read ends
   * the process.
   */
  readonly mapFile: () => void;
  readonly rowSkipped: SkippedRow;
}

/** Is called for an invalid row that is skipped. `isLast`: further rows of this file are not reported. */
export type SkippedRow = (npi: number, isLast: boolean) => void;

/** SQLite maps at most 2 GiB. */
const MAPPED_BYTES = 2 ** 31;

/**
 * Opens a registry file read-only. @throws Failure for a file that is not a registry of a supported format
 */
export function openRegistry(path: string, rowSkipped: SkippedRow = () => undefined): Registry {
  const name = basename(path);
  if (!existsSync(path)) throw new Failure(`the registry file ${path} does not exist`, HINT);
  const connection = openReader(path);
  try {
    const { sqlite } = connection;
    const owner = sqlite.query<{ application_id: number }, []>('PRAGMA application_id').get();
    const format = sqlite.query<{ user_version: number }, []>('PRAGMA user_version').get();
    if (owner?.application_id !== registrySchema.applicationId) {
      throw new Failure(`${name} is not a registry`, HINT);
    }
    if (format?.user_version !== registrySchema.format) {
      throw new Failure(`${name} is a registry of another version of this program`, HINT);
    }
    const engine = new SearchEngine({
      lists: new ListStore(connection),
      ordinals: new OrdinalStore(connection),
      rows: new RowStore(connection),
    });
    // A file without the tables is refused now, and not by the first search.
    engine.refresh();
    const [begin, end] = [sqlite.query('BEGIN'), sqlite.query('COMMIT')];
    let specialties: Specialties | undefined;
    let changes: ChangeStore | undefined;
    return {
      name,
      path,
      ...snapshotOf(connection),
      engine,
      get changes() {
        changes ??= new ChangeStore(connection);
        return changes;
      },
      atOnce(body) {
        begin.run();
        try {
          engine.refresh();
          return body();
        } finally {
          // An error of the disk can have ended the transaction.
          if (sqlite.inTransaction) end.run();
        }
      },
      mapFile: () => void sqlite.run(`PRAGMA mmap_size = ${MAPPED_BYTES}`),
      rowSkipped,
      // Computed at the first use, because it is the slowest part and would delay the start.
      get specialties() {
        specialties ??= specialtiesIn(taxonomyIn.on(connection));
        return specialties;
      },
    };
  } catch (error) {
    connection.sqlite.close();
    if (error instanceof Failure) throw error;
    throw new Failure(`${name} cannot be read: ${error instanceof Error ? error.message : error}`, HINT);
  }
}

/** Closes a registry. It must have no readers. */
export function closeRegistry({ connection }: Registry): void {
  connection.sqlite.close();
}

/** The specialties that were computed last. Nearly all files of a process have the same taxonomy. */
let computed: { taxonomy: string; specialties: Specialties } | null = null;

/**
 * Returns the specialties of a taxonomy. They take 50 ms to compute, which changes of a file would take from
 * the main thread.
 */
function specialtiesIn(taxonomy: readonly TaxonomyEntry[]): Specialties {
  const text = JSON.stringify(taxonomy);
  if (computed?.taxonomy !== text) computed = { taxonomy: text, specialties: specialtiesOf(taxonomy) };
  return computed.specialties;
}

/**
 * Returns the current description, which weekly updates change in place. @throws Failure when the file has
 * none
 */
export async function infoOf(registry: Registry): Promise<RegistryInfo> {
  const facts = await factsOf(registry);
  if (facts === null) throw new Failure(`${registry.name} has no description of the registry`, HINT);
  return { as_of: facts.asOf, records: facts.records, sample: facts.sample };
}
