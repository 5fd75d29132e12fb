import type { ClinicianRow } from '../registry/search.ts';
import type { Specialties } from '../registry/vocabulary/specialties.ts';
import type { Clinician } from './schema.ts';

/** Converts a row to a public clinician. It copies each public field by name. */
export function clinicianOf(row: ClinicianRow, specialties: Specialties): Clinician {
  const codes = row.codes === '' ? [] : row.codes.split(' ');
  const [primary] = codes;
  return {
    npi: String(row.npi),
    first_name: row.firstName,
    middle_name: row.middleName,
    last_name: row.lastName,
    suffix: row.suffix,
    credential: row.credential,
    specialty: primary === undefined ? null : specialtyOf(primary, specialties),
    specialties: codes.map((code, index) => ({
      code,
      name: specialties.entryOf(code)?.name ?? null,
      primary: index === 0,
    })),
    city: row.city,
    state: row.state,
    postal_code: row.postalCode,
    status: 'active',
    enumerated_on: row.enumeratedOn,
    last_updated_on: row.lastUpdatedOn,
  };
}

function specialtyOf(code: string, specialties: Specialties): Clinician['specialty'] {
  const entry = specialties.entryOf(code);
  return {
    code,
    name: entry?.name ?? null,
    classification: entry?.classification ?? null,
    grouping: entry?.grouping ?? null,
  };
}
