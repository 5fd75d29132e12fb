import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { specialtiesOf } from '../../../../src/staffing/registry/vocabulary/specialties.ts';
import { embeddedTaxonomy, isOfIndividuals } from '../../../../src/staffing/registry/vocabulary/taxonomy.ts';
import { foldWord, wordsIn } from '../../../../src/staffing/registry/vocabulary/words.ts';
import { meaningOf } from '../../../support/everyday-words.ts';

const taxonomy = embeddedTaxonomy();
const specialties = specialtiesOf(taxonomy);
const meaning = (text: string): string | null => meaningOf(specialties, taxonomy, text);
const page = readFileSync(join(import.meta.dir, '../../../../docs/staffing.md'), 'utf8');

/** The searches of the tables of docs/staffing.md, with what the page says that they mean. */
const documented = [...page.slice(page.indexOf('\n## Everyday words\n')).matchAll(/^\| (.+) \| (.+) \|$/gm)]
  .filter(([, search = '']) => search !== 'Search' && !search.startsWith('---'))
  .flatMap(([, searches = '', meant = '']) => searches.split(', ').map((search) => ({ search, meant })));
const searches = documented.map(({ search }) => search);
const individuals = new Set(taxonomy.filter(isOfIndividuals).map(({ code }) => code));

describe('the tables of everyday words in docs/staffing.md', () => {
  test('have more than 500 different searches', () => {
    expect(new Set(searches.map((search) => search.toLowerCase())).size).toBe(searches.length);
    expect(searches.length).toBeGreaterThan(500);
  });

  test('say exactly what each search is understood as', () => {
    const now = searches.map((search) => ({ search, meant: meaning(search) }));
    expect(now).toEqual(documented);
  });

  test('mean individuals, and each meaning of several codes has a list', () => {
    const listed = new Set(specialties.compound);
    for (const search of searches) {
      const specialty = specialties.resolve(search);
      expect(specialty?.codes.filter((code) => !individuals.has(code))).toEqual([]);
      if (specialty !== null && specialty.codes.length > 1) expect(listed.has(specialty)).toBe(true);
    }
  });
});

describe('a search is understood alike', () => {
  const some = fc.constantFrom(...searches);
  const alike = (change: (search: string, seed: number) => string): void => {
    fc.assert(
      fc.property(some, fc.nat(), (search, seed) => {
        expect([search, meaning(change(search, seed))]).toEqual([search, meaning(search)]);
      }),
      { numRuns: 400 },
    );
  };

  test('in capitals and small letters, with spaces and punctuation around', () => {
    alike((search) => search.toUpperCase());
    alike((search) => `  ${search.toLowerCase()}. `);
  });

  test('with its words in another order', () => {
    alike((search, seed) => {
      const words = wordsIn(search);
      const from = words.length === 0 ? 0 : seed % words.length;
      return [...words.slice(from), ...words.slice(0, from)].reverse().join(' ');
    });
  });

  test('with words of the trade', () => {
    const tradeOf = (seed: number): string => ['travel', 'Locum', 'per diem', 'contract'][seed % 4] ?? '';
    alike((search, seed) => `${tradeOf(seed)} ${search}`);
    alike((search, seed) => `${search} - ${tradeOf(seed)}`);
  });

  const spellings: readonly (readonly [string, ...string[]])[] = [
    ['R.N.', 'RN', 'r n', 'RNs', "RN's", 'R. N.', 'R.N.s', 'Registered Nurses', 'registerednurse'],
    ['L.P.N.s', 'LPN', 'Licensed practical nurses', 'LPNs'],
    ['nurse practitioners', 'NP', 'N.P.', 'nurse-practitioner', 'NPs', 'nursepractitioner'],
    [
      'ICU RN',
      'RN ICU',
      'I.C.U. nurse',
      'travel ICU nurse',
      'intensive care unit registered nurse',
      'ICU RN RN',
    ],
    ['L&D RN', 'L & D nurse', 'L and D RN', 'labor & delivery nurses', 'labour and delivery nurse', 'L/D RN'],
    ['step down', 'stepdown', 'step-down', 'Step Down Unit'],
    ['OB/GYN', 'OBGYN', 'OB-GYN', 'Ob.Gyn.', 'obstetrics & gynaecology', 'gynecologists'],
    ['pediatric cardiologist', 'peds cardiology', 'paediatric cardiologists', 'cardiologist - pediatric'],
    ['orthopedic surgeon', 'orthopaedic surgery', 'ortho', 'orthopedics', 'Orthopaedic Surgeons'],
    [
      'anesthesiologist',
      'anaesthesiologists',
      'anesthesia',
      'M.D. anesthesiology',
      'cardiac anesthesiologist',
    ],
    ['PM&R', 'PMR', 'physiatrist', 'physical medicine and rehab'],
    ['CT tech', 'CT technologist', 'CT technicians', 'computed tomography tech'],
    ['licensed clinical social worker', 'LCSW', 'L.C.S.W.', 'LCSWs'],
    ['emergency physician', 'ER doctor', 'E.D. physicians', 'emergency room MD', 'EM doctor'],
    [
      'child psychiatrist',
      'psychiatrist child',
      'pediatric psychiatry',
      'child and adolescent psychiatrists',
    ],
    ['psychotherapist', 'mental health therapist', 'behavioral health therapists'],
  ];
  test.each(spellings.map(([first, ...others]) => ({ first, others })))(
    '$first and its other spellings',
    ({ first, others }) => {
      expect(meaning(first)).not.toBeNull();
      for (const other of others) expect([other, meaning(other)]).toEqual([other, meaning(first)]);
    },
  );
});

describe('the nearest of several meanings counts', () => {
  test.each([
    // A setting that is part of another is none.
    ['nursing home RN', 'RN'],
    ['pediatric ICU nurse', 'peds RN'],
    ['emergency medicine PA', 'PA'],
    // Of two settings the first of the list counts; what has no code does not.
    ['ICU step down RN', 'ICU RN'],
    ['med surg tele RN', 'med surg RN'],
    ['hospice RN case manager', 'hospice RN'],
    // Beside a word for a physician a setting is a specialty of physicians.
    ['NICU doctor', 'neonatologist'],
    ['dialysis physician', 'nephrologist'],
    ['psych MD', 'psychiatrist'],
    ['internal medicine hospitalist', 'hospitalist'],
    // A field of medicine beside a place where anybody works means its physicians.
    ['outpatient psychiatry', 'psychiatrist'],
    ['family medicine urgent care', 'family medicine'],
    ['neuro ICU', 'ICU RN'],
    // A profession without a code for the setting is meant as a whole.
    ['dermatology PA', 'PA'],
    ['ICU LPN', 'LPN'],
    ['acute care PT', 'PT'],
    ['OR doctor', 'MD'],
    ['AEMT', 'EMT-I'],
  ])('%p is %p', (text, same) => {
    expect(meaning(text)).not.toBeNull();
    expect(meaning(text)).toBe(meaning(same));
  });

  test('an official name with repeated words is the one that repeats them', () => {
    const codeOf = (text: string) => specialties.resolve(text)?.codes;
    expect(codeOf('Pediatric Emergency Medicine (Pediatrics) Physician')).toEqual(['2080P0204X']);
    expect(codeOf('Physician: Pediatric Emergency Medicine, Emergency Medicine')).toEqual(['207PP0204X']);
  });
});

describe('whatever is searched', () => {
  test('is understood as individuals or not at all, and suggestions are understood', () => {
    const words = fc.constantFrom(
      ...searches.flatMap(wordsIn),
      'zebra',
      '&',
      'and',
      'clinic',
      'hospital',
      'group',
    );
    const text = fc.oneof(
      fc.array(words, { maxLength: 12 }).map((all) => all.join(' ')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(text, (search) => {
        const codes = specialties.resolve(search)?.codes ?? [];
        expect(codes.filter((code) => !individuals.has(code))).toEqual([]);
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(text, (search) => {
        const suggestions = specialties.nearest(search);
        expect(suggestions.length).toBeLessThanOrEqual(5);
        expect(suggestions.filter((suggestion) => specialties.resolve(suggestion) === null)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  test('hostile texts of 200 characters take little time', () => {
    const common = [
      'icu',
      'rn',
      'or',
      'er',
      'peds',
      'md',
      'pt',
      'np',
      'pa',
      'ld',
      'med',
      'surg',
      'home',
      'care',
    ];
    const texts = ['a '.repeat(100), 'a.'.repeat(100), 's'.repeat(200), "'".repeat(200), 'ﷺ'.repeat(200)];
    for (let seed = 0; seed < 300; seed++) {
      texts.push(
        Array.from({ length: 9 }, (_, at) => common[(seed * 7 + at * (1 + (seed % 5))) % 14]).join(' '),
      );
    }
    const before = process.cpuUsage();
    for (const text of texts) specialties.resolve(text);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000 / texts.length).toBeLessThan(5);
    expect(specialties.resolve(`RN${' '.repeat(10_000)}`)).toBeNull();
  });

  test('folding a known word again changes nothing', () => {
    for (const word of taxonomy.flatMap(({ name, classification }) => wordsIn(`${name} ${classification}`))) {
      expect(foldWord(foldWord(word))).toBe(foldWord(word));
    }
  });
});
