import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { named, nullable, strictObject } from '../../platform/http/schema.ts';
import { lazy } from '../../platform/lazy.ts';

const text = (description: string, example: string) =>
  nullable(Type.String({ description, examples: [example] }));

const date = (description: string) =>
  nullable(Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description, examples: ['2019-04-30'] }));

export const code = Type.String({ description: 'The taxonomy code (NUCC).', examples: ['163WC0200X'] });
export const name = text(
  'The display name of the specialty (NUCC). null if the taxonomy does not contain the code.',
  'Critical Care Medicine Registered Nurse',
);
const classification = text(
  'The NUCC classification: the profession without the specialization. null if the taxonomy does not contain the code.',
  'Registered Nurse',
);
const grouping = text(
  'The NUCC grouping, the most general category. null if the taxonomy does not contain the code.',
  'Nursing Service Providers',
);

/** The public fields; any other field is an error. */
export const ClinicianResponse = named(
  'Clinician',
  strictObject(
    {
      npi: Type.String({
        pattern: '^[12][0-9]{9}$',
        description: 'The National Provider Identifier: ten digits.',
      }),
      first_name: text('The first name, as registered. null if none is registered.', 'MAEVE'),
      middle_name: text('The middle name, as registered. null if none is registered.', 'ANN'),
      last_name: Type.String({ description: 'The surname, as registered.', examples: ["O'BRIEN"] }),
      suffix: text('The name suffix, as registered. null if none is registered.', 'JR.'),
      credential: text(
        'The credentials, as the clinician wrote them. null if none are registered.',
        'RN, BSN',
      ),
      specialty: nullable(
        strictObject(
          { code, name, classification, grouping },
          { description: 'The primary specialty. null if the clinician has no specialty.' },
        ),
      ),
      specialties: Type.Array(strictObject({ code, name, primary: Type.Boolean() }), {
        description: 'All specialties, the primary one first.',
      }),
      city: text('The city of the practice location. null if none is registered.', 'AUSTIN'),
      state: text('The state of the practice location, two letters. null if none is registered.', 'TX'),
      postal_code: text(
        'The postal code of the practice location, five digits. null if none is registered.',
        '78701',
      ),
      status: Type.Literal('active', {
        description: 'Always `active`: the registry contains no deactivated clinicians.',
      }),
      enumerated_on: date('The day when the NPI was assigned. null if unknown.'),
      last_updated_on: date('The day when the registration last changed. null if unknown.'),
    },
    { description: 'A clinician, with only public registry data.' },
  ),
);

export type Clinician = Static<typeof ClinicianResponse>;

const allowlist = lazy(() => TypeCompiler.Compile(ClinicianResponse));

/**
 * Checks a response against the allowlist: a clinician with another member, or a member in another format, is
 * not returned.
 */
export function isPublicClinician(clinician: unknown): clinician is Clinician {
  return allowlist().Check(clinician);
}
