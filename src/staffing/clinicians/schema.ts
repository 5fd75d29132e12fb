import { type Static, Type } from '@sinclair/typebox';
import {
  described,
  limitParameter,
  named,
  nullable,
  oneOf,
  strictObject,
} from '../../platform/http/schema.ts';
import { SAMPLE_DAY, SAMPLE_NPI } from '../http/example-ids.ts';
import { cursorParameter, DEFAULT_LIMIT, listOf } from '../http/schema.ts';
import { ClinicianResponse, code, name } from './public-clinician.ts';

/** The examples are of one clinician of the sample registry, so that all of them together find somebody. */
export const SearchQuery = strictObject({
  state: Type.Optional(
    Type.String({
      maxLength: 20,
      description:
        'The state of the practice location, as two letters, case-insensitive: one of the 50 states, DC, AS, GU, MP, PR, VI, FM, MH, ' +
        'PW, AA, AE or AP.',
      examples: ['FL'],
    }),
  ),
  specialty: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'A taxonomy code, classification, grouping or display name (case-insensitive), or an everyday term such as RN, NP, CRNA, PA, ' +
        'PT, OT, SLP, ICU RN or MD cardiology. Finds clinicians who have the specialty as primary or as another one. An unknown ' +
        'specialty returns UNKNOWN_SPECIALTY, with suggestions.',
      examples: ['ER nurse'],
    }),
  ),
  surname: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        "The beginning of a surname. Diacritics, case and punctuation are ignored: O'Brien, OBRIEN and o brien are equal. Also finds " +
        'the later parts of a surname with a hyphen or space, and former names.',
      examples: ['Orwick'],
    }),
  ),
  match: Type.Optional(
    oneOf(['prefix', 'exact'], {
      description:
        '`prefix` (default) finds names that begin with `surname`. `exact` finds names that are equal to it: a whole surname, one part of a ' +
        'surname, or a former name.',
    }),
  ),
  city: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'The city of the practice location: its whole name. Case, diacritics, spaces and punctuation are ignored. Some clinicians write ' +
        'it in other ways, such as `ST PAUL` for `SAINT PAUL`; a postal code finds them all.',
      examples: ['Miami'],
    }),
  ),
  postal_code: Type.Optional(
    Type.String({
      pattern: '^[0-9]{3}([0-9]{2})?$',
      'x-message': 'must be five digits, or the first three of them',
      description:
        'The postal code of the practice location: five digits, or the first three of them, which stand for a region.',
      examples: ['331'],
    }),
  ),
  first_name: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'The beginning of a first name. Case, diacritics, spaces and punctuation are ignored. Middle names are not searched.',
      examples: ['Ken'],
    }),
  ),
  npi: Type.Optional(
    Type.String({
      maxLength: 1200,
      description:
        'Only these clinicians: up to 100 NPIs, separated by commas. NPIs that the registry does not have are left out of the response. A ' +
        'number that is no NPI is refused with INVALID_NPI.',
      examples: [SAMPLE_NPI],
    }),
  ),
  limit: limitParameter('Clinicians per page.', DEFAULT_LIMIT),
  cursor: cursorParameter,
  include_total: Type.Optional(
    oneOf(['true', 'false'], { description: 'Whether the response has `total`. Default `false`.' }),
  ),
});

export const ChangesQuery = strictObject({
  since: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'The first page of the feed: the changes since a day (UTC) or a time (RFC 3339). Ignored with `cursor`. Without both, the feed ' +
        'begins at its end: `data` is empty, and `next_cursor` is for what changes from now on. A time ' +
        'before the history of the registry is refused with VALIDATION_FAILED.',
      examples: [SAMPLE_DAY],
    }),
  ),
  limit: limitParameter('Changes per page.', DEFAULT_LIMIT),
  cursor: Type.Optional(
    Type.String({
      description:
        '`next_cursor` of the previous page, however old that is. Opaque. It does not depend on `since`.',
    }),
  ),
});

export const SpecialtiesQuery = strictObject({
  query: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Anything that `specialty` of a search accepts, or words of a name. Without it, all specialties are returned.',
      examples: ['cardio'],
    }),
  ),
});

export const ClinicianPath = strictObject({
  npi: Type.String({
    description: 'The National Provider Identifier: ten digits, the last of which is a check digit.',
    examples: [SAMPLE_NPI],
  }),
});

export const ClinicianListResponse = named(
  'ClinicianPage',
  listOf(ClinicianResponse, {
    understood_as: Type.Optional(
      Type.Array(strictObject({ code, name }), {
        description: 'The taxonomy codes that `specialty` was understood as. Only with `specialty`.',
      }),
    ),
    suggestions: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Surnames in the registry that are spelled like `surname`, the most similar first, without punctuation. Only on the first page of a ' +
          'search whose surname nobody has, and only if there are any.',
        examples: [['OBRIEN']],
      }),
    ),
    total: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'The number of clinicians on all pages. Only with `include_total=true`. Absent in the rare case that counting would take too long: ' +
          'with a `first_name` that is longer than most names.',
      }),
    ),
    total_exact: Type.Optional(
      Type.Boolean({ description: 'Always true: totals are exact. Only with `total`.' }),
    ),
  }),
);

export const ClinicianChangesResponse = named(
  'ClinicianChanges',
  strictObject({
    data: Type.Array(
      named(
        'ClinicianChange',
        strictObject({
          npi: Type.String({ pattern: '^[12][0-9]{9}$', description: 'The National Provider Identifier.' }),
          change: oneOf(['added', 'updated', 'removed'], {
            description:
              '`added`: the clinician is new, or is in the registry again. `updated`: the public record, or a name by which it is found, ' +
              'changed. `removed`: the clinician is not in the registry any more.',
          }),
          at: Type.String({ description: 'When the registry changed (RFC 3339, UTC).' }),
          as_of: Type.String({ description: 'The date of the data that caused the change.' }),
          clinician: described(
            nullable(ClinicianResponse),
            'The clinician as the registry has it now. null if it was removed, now or by a later change of the feed.',
          ),
        }),
      ),
    ),
    has_more: Type.Boolean({ description: 'Whether there are more changes now.' }),
    next_cursor: Type.String({
      description:
        'The cursor of what follows. Never null: on the last page, store it and send it later to get what changed since.',
    }),
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
          name: Type.String({ description: 'The display name of the specialty (NUCC).' }),
          classification: Type.String({
            description: 'The NUCC classification: the profession without the specialization.',
          }),
          grouping: Type.String({ description: 'The NUCC grouping, the most general category.' }),
        }),
      ),
    ),
  }),
);

export type ChangesRequest = Static<typeof ChangesQuery>;
export type Search = Static<typeof SearchQuery>;
export type ClinicianList = Static<typeof ClinicianListResponse>;
