import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { KIND } from '../../../../db/staffing/registry/schema.ts';
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
    ["O'BRIEN", [], 'OBRIEN 0, BRIEN 1, O 2'],
    ["D'Angelo", [], 'DANGELO 0, ANGELO 1, D 2'],
    ['GARCIA-LOPEZ', [], 'GARCIALOPEZ 0, LOPEZ 1, GARCIA 2'],
    ['DE LA CRUZ', [], 'DELACRUZ 0, LACRUZ 1, CRUZ 1, DE 2, LA 2'],
    ['van der Berg', [], 'VANDERBERG 0, DERBERG 1, BERG 1, VAN 2, DER 2'],
    ['St. John', [], 'STJOHN 0, JOHN 1, ST 2'],
    ['MC DONALD', [], 'MCDONALD 0, DONALD 1, MC 2'],
    ['Garcia de la Cruz', [], 'GARCIADELACRUZ 0, DELACRUZ 1, LACRUZ 1, CRUZ 1, GARCIA 2, DE 2'],
    ['de la Cruz-Garcia', [], 'DELACRUZGARCIA 0, LACRUZGARCIA 1, CRUZGARCIA 1, GARCIA 1, DE 2, CRUZ 2'],
    ['El Amin', ['bin Laden'], 'ELAMIN 0, AMIN 1, BINLADEN 1, LADEN 1, EL 2, BIN 2'],
    ['De La', [], 'DELA 0, LA 1, DE 2'],
    ['VANDERBERG', [], 'VANDERBERG 0'],
    ['GARCIA–GARCIA', [], 'GARCIAGARCIA 0, GARCIA 1'],
    ['SMITH', ['JONES', 'SMITH', '--'], 'SMITH 0, JONES 1'],
    ['SMITH', ['JONES-LEE'], 'SMITH 0, JONESLEE 1, LEE 1, JONES 2'],
    ['SMITH-JONES', ['SMITH'], 'SMITHJONES 0, JONES 1, SMITH 1'],
    ['SMITH-', [], 'SMITH 0'],
    ['-', [], ' 0'],
  ])('of %p, once %p', (lastName, formerNames, keys) => {
    const found = nameKeys(lastName, formerNames).map(({ key, kind }) => `${key} ${kind}`);
    expect(found.join(', ')).toBe(keys);
  });

  test.each(['van der Berg', 'der Berg', 'Berg', 'vanderberg', 'van', 'VAN DER', 'ber'])(
    '%p finds van der Berg',
    (typed) => {
      const keys = nameKeys('van der Berg', []).filter(({ kind }) => kind !== KIND.firstPart);
      expect(keys.some(({ key }) => key.startsWith(fold(typed)))).toBe(true);
    },
  );

  test('are few and different, and the whole surname is one, whatever the name', () => {
    const part = fc.oneof(
      fc.constantFrom('de', 'la', 'van', "o'", 'st.', '-', 'y'),
      fc.string({ maxLength: 8 }),
    );
    const name = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(' ').slice(0, 100));
    fc.assert(
      fc.property(name, fc.array(name, { maxLength: 3 }), (lastName, formerNames) => {
        const keys = nameKeys(lastName, formerNames);
        expect(new Set(keys.map(({ key }) => key)).size).toBe(keys.length);
        expect(keys.filter(({ kind }) => kind === KIND.whole)).toEqual([
          { key: fold(lastName), kind: KIND.whole },
        ]);
        expect(keys.length).toBeLessThanOrEqual(6 * (1 + formerNames.length) + 1);
        expect(keys.slice(1).every(({ key }) => key !== '' && fold(key) === key)).toBe(true);
      }),
    );
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
