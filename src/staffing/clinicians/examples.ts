import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';

const specialty = {
  code: '163WC0200X',
  name: 'Critical Care Medicine Registered Nurse',
  classification: 'Registered Nurse',
  grouping: 'Nursing Service Providers',
};

const clinician = {
  npi: '2763287960',
  first_name: 'ASHLEY',
  middle_name: null,
  last_name: 'ALBERT',
  suffix: null,
  credential: 'RN, CCRN',
  specialty,
  specialties: [
    {
      code: '163WC0200X',
      name: 'Critical Care Medicine Registered Nurse',
      primary: true,
    },
  ],
  city: 'AUSTIN',
  state: 'TX',
  postal_code: '78789',
  status: 'active',
  enumerated_on: '2011-02-07',
  last_updated_on: '2020-12-12',
};

/** Responses of the operations, as a service returned them; secrets are zeros. */
export const examples: OperationExamples = {
  searchClinicians: {
    '200': {
      data: [clinician],
      has_more: true,
      next_cursor:
        '6rjnBE1QCkxSz7AhhVnsiYqanMHwc0agdA75J6yTD5sN_Yk6RwrGDxYfSPk8qwSu-kcEycHgdO7e4F0NnxAK4IU33QFuqd-zUWeltlWpNJlERH1fpfZjvSds8xA',
      understood_as: [{ code: specialty.code, name: specialty.name }],
      total: 19,
      total_exact: true,
    },
  },
  listClinicianChanges: {
    '200': {
      data: [
        {
          npi: clinician.npi,
          change: 'updated',
          at: '2026-11-23T08:38:00.252Z',
          as_of: '2026-11-22',
          clinician,
        },
        {
          npi: '2813972512',
          change: 'removed',
          at: '2026-11-23T08:38:00.252Z',
          as_of: '2026-11-22',
          clinician: null,
        },
      ],
      has_more: false,
      next_cursor:
        'Bo-3OPLPcZztEiKgkqr3YXS3kBdBuP5unK7qh0FmEBTYNal56cpd3_QIHUaFhgVFwtc4MfhObUA4tkmxggKPQvvvG655fspPE1cIvIyTJAEdrkwuzvB7wEPaipw',
    },
  },
  getClinician: {
    '200': clinician,
  },
  listSpecialties: {
    '200': {
      data: [specialty],
    },
  },
};
