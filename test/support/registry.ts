import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '../../src/platform/http/errors/errors.ts';
import { Cursors } from '../../src/platform/http/pagination/cursor.ts';
import type { Clinicians } from '../../src/staffing/clinicians/services.ts';
import { buildRegistry } from '../../src/staffing/registry/build.ts';
import { makeCurrent } from '../../src/staffing/registry/current.ts';
import { RegistryHandle } from '../../src/staffing/registry/handle.ts';
import type { ClinicianRecord } from '../../src/staffing/registry/record.ts';
import { embeddedTaxonomy } from '../../src/staffing/registry/vocabulary/taxonomy.ts';

export const OPTIONS = {
  asOf: '2026-03-01',
  sample: false,
  taxonomy: embeddedTaxonomy(),
  groupings: null,
  at: '2026-03-02T00:00:00.000Z',
};

/** A registry in its own directory, as the service has it. */
export interface TestRegistry extends Clinicians {
  directory: string;
  /** Builds another registry and serves it from now on. @returns its name */
  swap(records: Iterable<ClinicianRecord>): string;
  close(): void;
}

export function openTestRegistry(records: Iterable<ClinicianRecord>): TestRegistry {
  const directory = join(mkdtempSync(join(tmpdir(), 'countersign-registry-')), 'registry');
  mkdirSync(directory);
  const publish = (some: Iterable<ClinicianRecord>): string => {
    const { name } = buildRegistry(directory, some, OPTIONS);
    makeCurrent(directory, name);
    return name;
  };
  publish(records);
  const registry = new RegistryHandle(directory);
  return {
    directory,
    registry,
    cursors: new Cursors(new Uint8Array(32).fill(7)),
    swap(some) {
      const name = publish(some);
      registry.reopen();
      return name;
    },
    close() {
      registry.close();
      rmSync(join(directory, '..'), { recursive: true, force: true });
    },
  };
}

/** Returns the error code of a call; 'none' for a successful one. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'none';
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

/** Returns a clinician with defaults for all members that do not matter. */
export function recordOf(some: Partial<ClinicianRecord> & { npi: number }): ClinicianRecord {
  return {
    lastName: 'DOE',
    formerNames: [],
    firstName: 'JANE',
    middleName: null,
    suffix: null,
    credential: null,
    codes: [],
    city: null,
    state: null,
    postalCode: null,
    enumeratedOn: null,
    lastUpdatedOn: null,
    ...some,
  };
}
