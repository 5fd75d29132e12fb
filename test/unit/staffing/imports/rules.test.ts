import { describe, expect, test } from 'bun:test';
import { tmpdir } from 'node:os';
import {
  oldData,
  Refused,
  refuseEmpty,
  refuseFuture,
  refuseOld,
  refuseTooSmall,
  requireSpace,
} from '../../../../src/staffing/imports/rules.ts';

const served = {
  name: '2026-03-08-abc.db',
  asOf: '2026-03-08',
  records: 1000,
  sample: false,
  groupings: null,
};
/** No file of this directory was imported. */
const NOWHERE = '/nowhere';

describe('a registry that replaces another', () => {
  test.each([
    [950, false, 'accepted'],
    [949, false, 'refused'],
    [949, true, 'refused'],
    [0, false, 'refused'],
  ])('with %d clinicians instead of 1,000, fictitious: %p, is %s', (records, sample, outcome) => {
    const replace = (): void => refuseTooSmall(served, { records, sample }, NOWHERE);
    if (outcome === 'accepted') expect(replace).not.toThrow();
    else expect(replace).toThrow(Refused);
  });

  test('may have any number when the old one is a sample and it is not', () => {
    const sample = { ...served, sample: true };
    expect(() => refuseTooSmall(sample, { records: 1, sample: false }, NOWHERE)).not.toThrow();
    expect(() => refuseTooSmall(null, { records: 1, sample: false }, NOWHERE)).not.toThrow();
  });
});

describe('a file', () => {
  const rows = (read: number, bad: number) => ({
    read,
    clinicians: read - bad,
    organizations: 0,
    deactivated: 0,
    other_groupings: 0,
    bad,
  });
  test.each([
    ['without a row', null, rows(0, 0), 'file.csv has no valid row'],
    ['with bad rows only', null, rows(7, 7), 'file.csv has no valid row'],
    ['with bad rows only, for a new registry,', 0, rows(7, 7), 'file.csv has no valid row'],
    ['with a valid row but no clinician, for a new registry,', 0, rows(7, 6), 'file.csv has no clinician'],
  ])('%s is refused', (_, records, counts, problem) => {
    expect(() => refuseEmpty('file.csv', { records, rows: counts })).toThrow(problem);
  });

  test.each([
    ['with a valid row', null, rows(7, 6)],
    ['with a clinician, for a new registry,', 1, rows(7, 6)],
    ['that is already a registry', null, null],
  ])('%s is accepted', (_, records, counts) => {
    expect(() => refuseEmpty('file.csv', { records, rows: counts })).not.toThrow();
  });

  test.each([
    ['2026-04-22T00:00:00Z', '2026-04-23', null],
    ['2026-04-22T23:59:59Z', '2026-04-23', null],
    ['2026-04-22T23:59:59Z', '2026-04-24', 'file.csv is as of 2026-04-24'],
    ['2026-12-31T12:00:00Z', '2027-01-02', 'today is 2026-12-31 (UTC)'],
    ['2026-04-22T12:00:00Z', '2099-01-01', 'file.csv is as of 2099-01-01'],
  ])('on %s, as of %s: refused with %p', (now, asOf, problem) => {
    const check = (): void => refuseFuture('file.csv', asOf, { now: () => Date.parse(now) });
    if (problem === null) expect(check).not.toThrow();
    else expect(check).toThrow(problem);
  });
});

test('a weekly file that continues the data has no warning', () => {
  expect(refuseOld(served, '2026-03-15')).toBeNull();
  expect(refuseOld(served, '2026-03-16')).toContain('8 days newer');
  expect(() => refuseOld(served, '2026-03-08')).toThrow(/as of 2026-03-08/);
});

test('an import for which the disk has no space is refused with the bytes that it needs and that are free', () => {
  expect(() => requireSpace(tmpdir(), 0, 'the import')).not.toThrow();
  expect(() => requireSpace(tmpdir(), 1e12, 'the import')).toThrow(
    /^the import needs about 1,000,067,108,864 bytes of disk space in \S+, and [\d,]+ are free$/,
  );
});

test('real data is old after 45 days, and a sample never', () => {
  const clock = { now: () => Date.parse('2026-04-22T12:00:00Z') };
  const info = { as_of: '2026-03-08', records: 1, sample: false };
  expect(oldData(info, clock)).toBe('The data of the registry is 45 days old: import the newest files.');
  expect(oldData({ ...info, as_of: '2026-03-09' }, clock)).toBeNull();
  expect(oldData({ ...info, sample: true }, clock)).toBeNull();
});
