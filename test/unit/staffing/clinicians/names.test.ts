import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { fold, nameKeys } from '../../../../src/staffing/registry/vocabulary/names.ts';
import { stateOf } from '../../../../src/staffing/registry/vocabulary/states.ts';

describe('folding a name', () => {
  test.each([
    ["O'Brien", 'OBRIEN'],
    ['o brien', 'OBRIEN'],
    ['O’BRIEN', 'OBRIEN'],
    ['OʻAhu', 'OAHU'],
    ['Muñoz', 'MUNOZ'],
    ['Mun\u0303oz', 'MUNOZ'],
    ['Sørensen', 'SORENSEN'],
    ['Łukasz', 'LUKASZ'],
    ['Weiß', 'WEISS'],
    ['WEIẞ', 'WEISS'],
    ['Ærø', 'AERO'],
    ['Đorđević', 'DORDEVIC'],
    ['St. John', 'STJOHN'],
    ['Garcia-Lopez', 'GARCIALOPEZ'],
    ['3rd', '3RD'],
    ['Αθηνά', 'ΑΘΗΝΑ'],
    ["--'. ", ''],
    ['', ''],
  ])('makes %p %p', (name, key) => {
    expect(fold(name)).toBe(key);
  });

  test('is done once, leaves letters and digits alone, and does not see case or marks', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const key = fold(name);
        expect(fold(key)).toBe(key);
        expect(key).toMatch(/^[\p{L}\p{Nd}]*$/u);
        expect(fold(name.normalize('NFC'))).toBe(fold(name.normalize('NFD')));
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (name) => {
        expect(fold(name.toLowerCase())).toBe(fold(name.toUpperCase()));
      }),
    );
  });
});

describe('the names that a clinician is found by', () => {
  test.each<[string, string[], string]>([
    ['SMITH', [], 'SMITH 0'],
    ["O'BRIEN", [], 'OBRIEN 0'],
    ['GARCIA-LOPEZ', [], 'GARCIALOPEZ 0, LOPEZ 1, GARCIA 2'],
    ['DE LA CRUZ', [], 'DELACRUZ 0, LA 1, CRUZ 1, DE 2'],
    ['GARCIA–GARCIA', [], 'GARCIAGARCIA 0, GARCIA 1'],
    ['SMITH', ['JONES', 'SMITH', '--'], 'SMITH 0, JONES 1'],
    ['SMITH-JONES', ['SMITH'], 'SMITHJONES 0, JONES 1, SMITH 1'],
    ['SMITH-', [], 'SMITH 0'],
    ['-', [], ' 0'],
  ])('of %p, once %p', (lastName, formerNames, keys) => {
    const found = nameKeys(lastName, formerNames).map(({ key, kind }) => `${key} ${kind}`);
    expect(found.join(', ')).toBe(keys);
  });
});

describe('the state of a clinician', () => {
  test.each([
    ['tx', 'TX'],
    [' Dc ', 'DC'],
    ['AE', 'AE'],
    ['MH', 'MH'],
  ])('%p is %p', (text, state) => expect(stateOf(text)).toBe(state));
  test.each(['', 'XX', 'Texas', 'T', 'ON', 'ZZ'])('%p is none', (text) => expect(stateOf(text)).toBeNull());
});
