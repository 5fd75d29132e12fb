import { describe, expect, test } from 'bun:test';
import { tmpdir } from 'node:os';
import {
  oldData,
  Refused,
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
