import { expect, test } from 'bun:test';
import type { Clinician } from '../../../../src/staffing/clinicians/public-clinician.ts';
import { isPublicClinician } from '../../../../src/staffing/clinicians/public-clinician.ts';

const clinician: Clinician = {
  npi: '2000000006',
  first_name: 'MAEVE',
  middle_name: null,
  last_name: "O'BRIEN",
  suffix: null,
  credential: null,
  specialty: null,
  specialties: [],
  city: null,
  state: 'TX',
  postal_code: '78701',
  status: 'active',
  enumerated_on: null,
  last_updated_on: null,
};

test('a clinician with any member beyond the public ones is never given', () => {
  expect(isPublicClinician(clinician)).toBe(true);
  expect(isPublicClinician({ ...clinician, phone: '555-0100' })).toBe(false);
  const { state: _, ...less } = clinician;
  expect(isPublicClinician(less)).toBe(false);
  expect(isPublicClinician({ ...clinician, enumerated_on: '2019-4-30' })).toBe(false);
});
