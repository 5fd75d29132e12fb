import { type Static, Type } from '@sinclair/typebox';
import { limitParameter, named, nullable, oneOf, strictObject } from '../../platform/http/schema.ts';
import { SAMPLE_NPI } from '../demo/known.ts';
import { cursorParameter, DEFAULT_LIMIT, listOf } from '../http/schema.ts';

const text = (description: string, example: string) =>
  nullable(Type.String({ description, examples: [example] }));

const date = (description: string) =>
  nullable(Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description, examples: ['2019-04-30'] }));

export const SearchQuery = strictObject({
  state: Type.Optional(
    Type.String({
      maxLength: 20,
      description:
        'Two letters, in whatever case: one of the 50 states, DC, AS, GU, MP, PR, VI, FM, MH, PW, AA, AE or AP. ' +
        'The state of the practice location.',
      examples: ['TX'],
    }),
  ),
  specialty: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'A taxonomy code, classification, grouping or display name, in whatever case, or what the field calls it: ' +
        'RN, NP, CRNA, PA, PT, OT, SLP, ICU RN, MD cardiology. Finds clinicians who have it among all of their specialties. An ' +
        'unknown specialty is UNKNOWN_SPECIALTY, with suggestions.',
      examples: ['Registered Nurse'],
    }),
  ),
  surname: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        "The beginning of a surname. Marks, case and punctuation do not count: O'Brien, OBRIEN and o brien are one. " +
        'The later parts of a hyphenated or spaced surname, and former names, are found too.',
      examples: ["O'Brien"],
    }),
  ),
  match: Type.Optional(
    oneOf(['prefix', 'exact'], {
      description:
        'With `exact`, surname is a whole surname, any single part of one, or a former name. Default `prefix`.',
    }),
  ),
  limit: limitParameter('Clinicians per page.', DEFAULT_LIMIT),
  cursor: cursorParameter,
  include_total: Type.Optional(
    oneOf(['true', 'false'], { description: 'Whether to say how many there are on all pages.' }),
  ),
});

export const SpecialtiesQuery = strictObject({
  query: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Anything `specialty` of a search takes, or words that a name contains. All without it.',
      examples: ['cardio'],
    }),
  ),
});

export const ClinicianPath = strictObject({
  npi: Type.String({
    description: 'Ten digits, the last of them a check digit.',
    examples: [SAMPLE_NPI],
  }),
});

const code = Type.String({ description: 'Taxonomy code (NUCC).', examples: ['163WC0200X'] });
const name = text(
  'Null for a code that the taxonomy does not have.',
  'Critical Care Medicine Registered Nurse',
);
const classification = text('What it is, without the specialization.', 'Registered Nurse');
const grouping = text('The widest of its names.', 'Nursing Service Providers');

/** The public fields; any other field is an error. */
export const ClinicianResponse = named(
  'Clinician',
  strictObject(
    {
      npi: Type.String({ pattern: '^[12][0-9]{9}$', description: 'National Provider Identifier.' }),
      first_name: text('As registered.', 'MAEVE'),
      middle_name: text('As registered.', 'ANN'),
      last_name: Type.String({ description: 'As registered.', examples: ["O'BRIEN"] }),
      suffix: text('As registered.', 'JR.'),
      credential: text('As the clinician wrote it.', 'RN, BSN'),
      specialty: nullable(
        strictObject(
          { code, name, classification, grouping },
          { description: 'The primary one; null without any.' },
        ),
      ),
      specialties: Type.Array(strictObject({ code, name, primary: Type.Boolean() }), {
        description: 'All of them, the primary one first.',
      }),
      city: text('Of the practice location.', 'AUSTIN'),
      state: text('Of the practice location.', 'TX'),
      postal_code: text('Of the practice location, five digits.', '78701'),
      status: Type.Literal('active', { description: 'Deactivated clinicians are not in the registry.' }),
      enumerated_on: date('When the NPI was given.'),
      last_updated_on: date('When the registration last changed.'),
    },
    { description: 'Public registry data, and nothing else.' },
  ),
);

export const ClinicianListResponse = named(
  'ClinicianPage',
  listOf(ClinicianResponse, {
    total: Type.Optional(
      Type.Integer({ minimum: 0, description: 'With include_total: clinicians on all pages.' }),
    ),
    total_exact: Type.Optional(
      Type.Boolean({
        description:
          'False where there are more than `total`. Without a surname totals are exact; with one, up to 10,000.',
      }),
    ),
  }),
);

export const SpecialtiesResponse = named(
  'SpecialtyList',
  strictObject({
    data: Type.Array(
      named(
        'Specialty',
        strictObject({
          code,
          name: Type.String({ description: 'The display name.' }),
          classification: Type.String(),
          grouping: Type.String(),
        }),
      ),
    ),
  }),
);

export type Search = Static<typeof SearchQuery>;
export type Clinician = Static<typeof ClinicianResponse>;
export type ClinicianList = Static<typeof ClinicianListResponse>;
