import { describe, expect, test } from 'bun:test';
import { specialtiesOf } from '../../../../src/staffing/registry/vocabulary/specialties.ts';
import { specialtyOfUnnamedCode } from '../../../../src/staffing/registry/vocabulary/specialty.ts';
import { embeddedTaxonomy, isOfIndividuals } from '../../../../src/staffing/registry/vocabulary/taxonomy.ts';

const taxonomy = embeddedTaxonomy();
const individuals = taxonomy.filter(isOfIndividuals);
const specialties = specialtiesOf(taxonomy);
const codesOf = (text: string): readonly string[] | undefined => specialties.resolve(text)?.codes;
const all = (having: Partial<(typeof taxonomy)[number]>): string[] =>
  individuals
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
  test('is known by each code, in whatever case, of organizations too', () => {
    for (const { code } of taxonomy) expect(codesOf(` ${code.toLowerCase()} `)).toEqual([code]);
  });

  test('is known by each classification, grouping and display name of individuals', () => {
    for (const { code, grouping, classification, name } of individuals) {
      expect(codesOf(` ${classification.toUpperCase()} `)).toEqual(all({ classification }));
      expect(codesOf(grouping.toLowerCase())).toEqual(all({ grouping }));
      expect(codesOf(name.toUpperCase())).toContain(code);
    }
  });

  test('is of individuals: no name of organizations means one', () => {
    const organizations = taxonomy.filter((entry) => !isOfIndividuals(entry));
    expect(organizations.length).toBe(183 + 4);
    const found = organizations.flatMap(({ name, classification, grouping }) =>
      [name, classification, grouping].flatMap((text) => codesOf(text) ?? []),
    );
    const own = new Set(individuals.map(({ code }) => code));
    expect(found.filter((code) => !own.has(code))).toEqual([]);
    expect(codesOf('Multi-Specialty Group')).toBeUndefined();
    expect(codesOf('Ambulatory Health Care Facilities')).toBeUndefined();
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
    ['Pain Medicine', all({ classification: 'Pain Medicine' })],
    ['ICU RN', ['163WC0200X']],
    ['RN - Med/Surg', ['163WM0705X']],
    ['L&D nurse', ['163WX0003X']],
    ['psych NP', ['363LP0808X']],
    ['OB/GYN MD', all({ classification: 'Obstetrics & Gynecology' })],
    ['Women’s Health NP', ['363LW0102X']],
  ])('%p is understood', (text, codes) => {
    expect(codesOf(text)).toEqual(codes);
  });

  test.each(['', ' ', '&', 'wizard', 'rn wizard', 'travel', 'and', '000000000X', `rn${' '.repeat(200)}`])(
    '%p is none',
    (text) => {
      expect(codesOf(text)).toBeUndefined();
    },
  );

  test('says what it was understood as, in the order of the taxonomy', () => {
    const text = specialties.resolve('dialysis nurse')?.understoodAs ?? '';
    expect(JSON.parse(text)).toEqual([
      { code: '163WD1100X', name: 'Peritoneal Dialysis Registered Nurse' },
      { code: '163WH0500X', name: 'Hemodialysis Registered Nurse' },
    ]);
    expect(specialtyOfUnnamedCode('123456789X').understoodAs).toBe('[{"code":"123456789X","name":null}]');
  });

  test('has a label that follows from its codes alone', () => {
    const some = taxonomy.filter(({ classification }) => classification === 'Registered Nurse');
    const labels = specialtiesOf(some).compound.map(({ label }) => label);
    expect(labels).toContain(specialties.resolve('RN')?.label ?? 'none');
    expect(labels).toContain(specialties.resolve('psych nurse')?.label ?? 'none');
  });

  test('is one for the same codes, and each of several codes has a list', () => {
    const labels = specialties.compound.map(({ label }) => label);
    const members = specialties.compound.map(({ codes }) => codes.join(' '));
    expect(new Set(labels).size).toBe(labels.length);
    expect(new Set(members).size).toBe(members.length);
    for (const text of ['RN', 'MD', 'MD pain medicine', 'RT', 'diabetology physician', 'psych nurse']) {
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
    ['nurs practioner', 'Nurse Practitioner'],
    ['cardiolgist', 'cardiologist'],
    ['phyical terapist', 'Physical Therapist'],
    ['registred nures', 'Registered Nurse'],
    ['anestesiologist', 'anesthesiologist'],
    ['icu nrse', 'icu nurse'],
    ['registred icu nures', 'registered icu nurse'],
    ['locum tenens', 'locum tenens nurse'],
    ['Travel', 'travel nurse'],
    ['icu rn texas', 'icu rn'],
    ['pyschiatrist', 'psychiatrist'],
    ['respitory therapist', 'respiratory therapist'],
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
    expect(specialties.find(undefined)).toEqual(individuals);
    expect(specialties.find('261QU0200X').map(({ name }) => name)).toEqual(['Urgent Care Clinic/Center']);
    expect(specialties.find('clinic/center')).toEqual([]);
    expect(specialties.find('cardio').length).toBeGreaterThan(10);
    expect(specialties.find('?!')).toEqual([]);
    expect(specialties.find('crna').map(({ code }) => code)).toEqual(['367500000X']);
    expect(specialties.find('critical pediatric nurse').map(({ name }) => name)).toContain(
      'Critical Care Pediatric Nurse Practitioner',
    );
    expect(specialties.find('icu rn')[0]?.code).toBe('163WC0200X');
    expect(specialties.find('wizard')).toEqual([]);
  });
});
