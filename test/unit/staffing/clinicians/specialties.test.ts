import { describe, expect, test } from 'bun:test';
import { specialtiesOf } from '../../../../src/staffing/registry/vocabulary/specialties.ts';
import { ROLES, SYNONYMS } from '../../../../src/staffing/registry/vocabulary/synonyms.ts';
import { embeddedTaxonomy } from '../../../../src/staffing/registry/vocabulary/taxonomy.ts';

const taxonomy = embeddedTaxonomy();
const specialties = specialtiesOf(taxonomy);
const codesOf = (text: string): readonly string[] | undefined => specialties.resolve(text)?.codes;
const all = (having: Partial<(typeof taxonomy)[number]>): string[] =>
  taxonomy
    .filter((entry) =>
      Object.entries(having).every(([member, value]) => Reflect.get(entry, member) === value),
    )
    .map(({ code }) => code)
    .sort();

describe('the embedded taxonomy', () => {
  test('is version 25.1, whole', () => {
    expect(taxonomy.length).toBe(883);
    expect(taxonomy.filter(({ code }) => !/^[0-9A-Z]{9}X$/.test(code))).toEqual([]);
    expect(
      taxonomy.filter(({ name, grouping, classification }) => !(name && grouping && classification)),
    ).toEqual([]);
    expect(specialties.entryOf('363LF0000X')).toEqual({
      code: '363LF0000X',
      grouping: 'Physician Assistants & Advanced Practice Nursing Providers',
      classification: 'Nurse Practitioner',
      specialization: 'Family',
      name: 'Family Nurse Practitioner',
    });
  });
});

describe('a specialty', () => {
  test('is known by each code, classification, grouping and display name, in whatever case', () => {
    for (const { code, grouping, classification } of taxonomy) {
      expect(codesOf(code.toLowerCase())).toEqual([code]);
      expect(codesOf(` ${classification.toUpperCase()} `)).toEqual(all({ classification }));
      expect(codesOf(grouping.toLowerCase())).toEqual(all({ grouping }));
    }
    for (const { code, name } of taxonomy) expect(codesOf(name.toUpperCase())).toContain(code);
  });

  test.each([
    ['RN', all({ classification: 'Registered Nurse' })],
    ['np', all({ classification: 'Nurse Practitioner' })],
    ['CRNA', ['367500000X']],
    ['PA-C', all({ classification: 'Physician Assistant' })],
    ['PT', all({ classification: 'Physical Therapist' })],
    ['OT', all({ classification: 'Occupational Therapist' })],
    ['SLP', ['235Z00000X']],
    ['MD', all({ grouping: 'Allopathic & Osteopathic Physicians' })],
    ['MD cardiology', ['207RC0000X']],
    ['cardiologist', ['207RC0000X']],
    ['Internal Medicine, M.D.', all({ classification: 'Internal Medicine' })],
    ['DO pain medicine', all({ classification: 'Pain Medicine' })],
    ['ICU RN', ['163WC0200X']],
    ['RN - Med/Surg', ['163WM0705X']],
    ['L&D nurse', ['163WX0003X']],
    ['psych NP', ['363LP0808X']],
    ['OB/GYN MD', all({ classification: 'Obstetrics & Gynecology' })],
    ['Women’s Health NP', ['363LW0102X']],
  ])('%p is understood', (text, codes) => {
    expect(codesOf(text)).toEqual(codes);
  });

  test.each(['', ' ', '&', 'tele rn', 'wizard', '000000000X', 'rn rn'])('%p is none', (text) => {
    expect(codesOf(text)).toBeUndefined();
  });

  test('has every everyday word, and every role', () => {
    const words = [...Object.keys(SYNONYMS), ...ROLES.flatMap(({ words }) => words)];
    expect(words.filter((word) => codesOf(word) === undefined)).toEqual([]);
    expect(
      Object.values(SYNONYMS)
        .flat()
        .filter((name) => codesOf(name) === undefined),
    ).toEqual([]);
  });

  test('is one for the same codes, and each of several codes has a list', () => {
    const labels = specialties.compound.map(({ label }) => label);
    const members = specialties.compound.map(({ codes }) => codes.join(' '));
    expect(new Set(labels).size).toBe(labels.length);
    expect(new Set(members).size).toBe(members.length);
    for (const text of ['RN', 'MD', 'MD pain medicine', 'RT', 'diabetology physician', 'legal medicine']) {
      expect(labels).toContain(specialties.resolve(text)?.label ?? 'none');
    }
  });
});

describe('suggestions of specialties', () => {
  test.each([
    ['Registerd Nurse', 'Registered Nurse'],
    ['nurse practicioner', 'Nurse Practitioner'],
    ['cardiolgy', 'cardiology'],
    ['hospitalists', 'Hospitalist'],
  ])('for %p begin with %p', (text, nearest) => {
    expect(specialties.nearest(text)[0]).toBe(nearest);
  });

  test('are names that are understood, five at most, and none for nothing', () => {
    const found = specialties.nearest('x'.repeat(5000));
    expect(found.length).toBe(5);
    expect(found.filter((name) => codesOf(name) === undefined)).toEqual([]);
    expect(specialties.nearest('?!')).toEqual([]);
  });
});

describe('finding specialties', () => {
  test('gives what is named first, then what has all the words', () => {
    expect(specialties.find(undefined).length).toBe(883);
    expect(specialties.find('crna').map(({ code }) => code)).toEqual(['367500000X']);
    expect(specialties.find('critical pediatric nurse').map(({ name }) => name)).toContain(
      'Critical Care Pediatric Nurse Practitioner',
    );
    expect(specialties.find('icu rn')[0]?.code).toBe('163WC0200X');
    expect(specialties.find('wizard')).toEqual([]);
  });
});
