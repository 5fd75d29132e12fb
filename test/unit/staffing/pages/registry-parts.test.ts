import { describe, expect, test } from 'bun:test';
import type { Clinician } from '../../../../src/staffing/clinicians/public-clinician.ts';
import { clinicianRecord, nameOf, placeOf } from '../../../../src/staffing/pages/page/clinician.ts';
import { registrySource, registryTiles } from '../../../../src/staffing/pages/page/registry.ts';
import { sentenceOf } from '../../../../src/staffing/pages/problem.ts';

const NOW = Date.parse('2026-03-10T12:00:00Z');
const REAL = { as_of: '2026-03-08', records: 3_390_000, sample: false };

const CLINICIAN: Clinician = {
  npi: '2000123457',
  first_name: null,
  middle_name: null,
  last_name: "O'BRIEN",
  suffix: null,
  credential: null,
  specialty: null,
  specialties: [],
  city: null,
  state: null,
  postal_code: null,
  status: 'active',
  enumerated_on: null,
  last_updated_on: null,
};

describe('the facts of the registry', () => {
  test('name how many clinicians it has, its age in days, and its source', () => {
    const { text } = registryTiles(REAL, NOW);
    for (const part of ['3,390,000', '2026-03-08', '2 days ago', 'NPPES']) expect(text).toContain(part);
    expect(registryTiles({ ...REAL, as_of: '2026-03-10' }, NOW).text).toContain('today');
    expect(registryTiles({ ...REAL, as_of: '2026-03-11' }, NOW).text).not.toContain('ago');
    expect(registrySource(REAL).text).toContain(
      '3,390,000 clinicians as of 2026-03-08. Source: the National Plan',
    );
    expect(registrySource(null).text).toContain('© American Medical Association for the NUCC');
  });

  test('say of a sample that it is made up, and no age', () => {
    const sample = { ...REAL, sample: true };
    expect(registryTiles(sample, NOW).text).toContain('made-up clinicians');
    expect(registryTiles(sample, NOW).text).not.toContain('ago');
    expect(registrySource(sample).text).toContain('The clinicians are made up');
  });
});

describe('a clinician', () => {
  test('is shown with what is registered, and without what is not', () => {
    expect([nameOf(CLINICIAN), placeOf(CLINICIAN)]).toEqual(["O'BRIEN", 'not stated']);
    const named = { ...CLINICIAN, first_name: 'MAEVE', suffix: 'JR.', city: 'AUSTIN', postal_code: '78701' };
    expect([nameOf(named), placeOf(named)]).toEqual(["O'BRIEN, MAEVE JR.", 'AUSTIN, 78701']);
    expect(clinicianRecord(CLINICIAN, true).text).toContain('None are registered.');
  });

  test('who is real has a link to the registry of CMS', () => {
    const link = 'https://npiregistry.cms.hhs.gov/provider-view/2000123457';
    expect(clinicianRecord(CLINICIAN, false).text).toContain(link);
    expect(clinicianRecord(CLINICIAN, true).text).not.toContain(link);
  });
});

test('a limit says how long to wait, in seconds or minutes', () => {
  const limited = {
    code: 'RATE_LIMITED',
    status: 429,
    message: 'There were too many requests.',
    issues: {},
    suggestions: [],
    headers: {},
  };
  expect(sentenceOf(limited, '1')).toContain('Wait 1 second,');
  expect(sentenceOf(limited, 59)).toContain('Wait 59 seconds,');
  expect(sentenceOf(limited, '3000')).toContain('Wait 50 minutes,');
  expect(sentenceOf(limited, undefined)).toBe(limited.message);
  expect(sentenceOf({ ...limited, code: 'NOT_FOUND' }, 5)).toBe(limited.message);
});
