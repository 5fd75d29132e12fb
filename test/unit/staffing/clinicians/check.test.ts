import { expect, test } from 'bun:test';
import { checkClinician } from '../../../../src/staffing/clinicians/check.ts';
import type { Clinician } from '../../../../src/staffing/clinicians/schema.ts';

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
  expect(checkClinician(clinician)).toBe(clinician);
  const canary = { ...clinician, phone: '555-0100' };
  expect(() => checkClinician(canary)).toThrow('not of the public shape');
  const { state: _, ...less } = clinician;
  expect(() => checkClinician(Object(less))).toThrow('not of the public shape');
});
