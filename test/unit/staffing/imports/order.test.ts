import { afterAll, expect, test } from 'bun:test';
import { inOrderOfDates } from '../../../../src/staffing/imports/order.ts';
import { fileDirectory, zipOf } from '../../../support/nppes.ts';

const { write, dispose } = fileDirectory();
afterAll(dispose);

const monthly = write('npidata_pfile_20050523-20260308.csv', 'NPI\n');
const first = write('first.zip', await zipOf({ 'npidata_pfile_20260309-20260315.csv': 'NPI\n' }));
const second = write('npidata_pfile_20260316-20260322.csv', 'NPI\n');

test('files are imported in order of the last day of their data, also those in a zip', async () => {
  expect(await inOrderOfDates([second, first, monthly])).toEqual([monthly, first, second]);
  expect(await inOrderOfDates([monthly, first, second])).toEqual([monthly, first, second]);
});

test('files stay in the given order when one has no day or cannot be read', async () => {
  const noDay = write('other.csv', 'NPI\n');
  for (const other of [noDay, '/nowhere.csv']) {
    expect(await inOrderOfDates([second, other, first])).toEqual([second, other, first]);
  }
});
