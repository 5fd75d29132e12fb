import { join } from 'node:path';
import { timestamp } from '../../platform/time/clock.ts';
import { amendRegistry } from '../registry/amend.ts';
import { currentRegistry } from '../registry/current.ts';
import type { ClinicianRecord } from '../registry/record.ts';
import { suppress } from '../suppressions/suppress.ts';
import type { Scene } from './scene.ts';
import type { SeedClinician } from './schema.ts';

/** Adds the clinicians of a seed to the sample, as an import of a weekly file does, before all else. */
export function addClinicians(scene: Scene): void {
  const { clinicians = [] } = scene.seed.content;
  if (clinicians.length === 0) return;
  scene.chronology.add(undefined, ['clinicians'], () => importAll(scene, clinicians));
}

/** Adds the suppressions of a seed. */
export function addSuppressions(scene: Scene): void {
  const { seed, chronology, staffing } = scene;
  for (const [index, { npi, reason = 'seed', at }] of (seed.content.suppressions ?? []).entries()) {
    chronology.add(at ?? 'now', ['suppressions', index], async () => {
      await suppress(staffing, npi, reason);
    });
  }
}

async function importAll({ seed, staffing }: Scene, clinicians: readonly SeedClinician[]): Promise<void> {
  const { registryPath, registryLock, registryChanged, clock } = staffing;
  const name = currentRegistry(registryPath);
  if (name === null) throw seed.problemAt(['clinicians'], 'cannot be added: the service has no registry');
  const records = clinicians.map(recordOf);
  const index = new Map<number, number>();
  for (const [position, { npi }] of records.entries()) {
    if (index.has(npi))
      throw seed.problemAt(['clinicians', position, 'npi'], `is ${npi}, which another clinician has`);
    index.set(npi, position);
  }
  const { refused } = await registryLock.run(() =>
    amendRegistry(join(registryPath, name), {
      put: records,
      remove: [],
      at: timestamp(clock),
      kind: 'weekly',
    }),
  );
  const [first] = refused.examples;
  if (first !== undefined) {
    const path = ['clinicians', index.get(first.npi) ?? 0];
    throw seed.problemAt(path, `has a value that the registry refuses: ${first.field}`);
  }
  registryChanged();
}

function recordOf(entry: SeedClinician): ClinicianRecord {
  const { last_name, first_name, middle_name, suffix, credential, city, state, postal_code } = entry;
  return {
    npi: Number(entry.npi),
    lastName: last_name,
    formerNames: entry.former_names ?? [],
    firstName: first_name ?? null,
    middleName: middle_name ?? null,
    suffix: suffix ?? null,
    credential: credential ?? null,
    codes: entry.specialties ?? [],
    city: city ?? null,
    state: state ?? null,
    postalCode: postal_code ?? null,
    enumeratedOn: entry.enumerated_on ?? null,
    lastUpdatedOn: entry.last_updated_on ?? null,
  };
}
