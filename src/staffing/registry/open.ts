import type { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { registrySchema } from '../../../db/staffing/registry/schema.ts';
import { Failure } from '../../platform/failure.ts';
import { openReader } from '../../platform/store/connection.ts';
import { type Snapshot, snapshotOf } from '../../platform/store/transaction.ts';
import { factsOf } from './store.ts';
import { type Specialties, specialtiesOf } from './vocabulary/specialties.ts';
import type { TaxonomyEntry } from './vocabulary/taxonomy.ts';

/** What a registry is, for those who ask whom they search. */
export interface RegistryInfo {
  /** YYYY-MM-DD. */
  as_of: string;
  records: number;
  /** Whether the clinicians are made up. */
  sample: boolean;
}

/** A list of the registry; one that is not `listed` has a count and no rows. */
export interface List {
  list: number;
  listed: boolean;
}

/** A registry file, open for reading. */
export interface Registry extends Snapshot {
  readonly name: string;
  readonly specialties: Specialties;
  readonly lists: ReadonlyMap<string, List>;
  readonly rowSkipped: SkippedRow;
}

/** Hears of a row that is no public record and is left out. `isLast`: further ones of this file are not reported. */
export type SkippedRow = (npi: number, isLast: boolean) => void;

const HINT =
  'restore the file from a copy, or write the name of another file from its directory into registry/current';

/** Opens a registry file so that it cannot be written. @throws Failure when it is none that this program reads */
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
    const lists = new Map(
      sqlite
        .query<{ label: string; list: number; listed: number }, []>('SELECT label, list, listed FROM list')
        .all()
        .map(({ label, list, listed }) => [label, { list, listed: listed === 1 }]),
    );
    let specialties: Specialties | undefined;
    return {
      name,
      ...snapshotOf(connection),
      lists,
      rowSkipped,
      // Takes longer than all the rest; whoever starts the service waits for its first answer.
      get specialties() {
        specialties ??= specialtiesOf(taxonomyOf(sqlite));
        return specialties;
      },
    };
  } catch (error) {
    connection.sqlite.close();
    if (error instanceof Failure) throw error;
    throw new Failure(`${name} cannot be read: ${error instanceof Error ? error.message : error}`, HINT);
  }
}

/** Closes a registry, which nobody may read then. */
export function closeRegistry({ connection }: Registry): void {
  connection.sqlite.close();
}

/** In order of code. */
function taxonomyOf(sqlite: Database): TaxonomyEntry[] {
  return sqlite
    .query<TaxonomyEntry, []>('SELECT code, grouping, classification, specialization, name FROM taxonomy')
    .all();
}

/** What the registry is as of now: a weekly update changes it in place. @throws Failure when it does not say it */
export async function infoOf(registry: Registry): Promise<RegistryInfo> {
  const facts = await factsOf(registry);
  if (facts === null) throw new Failure(`${registry.name} has no description of the registry`, HINT);
  return { as_of: facts.asOf, records: facts.records, sample: facts.sample };
}
