import { type Static, Type } from '@sinclair/typebox';
import { EMPLOYMENT_TYPES, SHIFTS, STATUSES } from '../../../db/staffing/requisitions-enums.ts';
import {
  characters,
  dateTime,
  described,
  limitParameter,
  named,
  nullable,
  oneOf,
  strictObject,
} from '../../platform/http/schema.ts';
import {
  DEMO_LIVE_REQUISITION_ID,
  DEMO_REQUISITION_ID,
  DEMO_SPARE_REQUISITION_ID,
} from '../http/example-ids.ts';
import { cursorParameter, DEFAULT_LIMIT, listOf, Tier } from '../http/schema.ts';

/** Control characters (C0, DEL, C1), as a range of a regular expression. They are refused. */
const CONTROL_CHARACTERS = '\\u0000-\\u001f\\u007f-\\u009f';
const CONTROL_CHARACTERS_BUT_LINE_BREAKS = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f';
/** The text must not consist only of white space. */
const NOT_BLANK = { blank: false };

const title = characters(200, CONTROL_CHARACTERS, 'The job title.', 'ICU travel nurse', NOT_BLANK);
const specialty = characters(
  200,
  CONTROL_CHARACTERS,
  'The clinical specialty: a name, a taxonomy code, or an everyday term such as RN. Stored as sent.',
  'RN critical care',
  NOT_BLANK,
);
const state = characters(
  64,
  CONTROL_CHARACTERS,
  'Two-letter code of a US state, district, territory or armed forces region.',
  'TX',
);
const city = characters(100, CONTROL_CHARACTERS, 'The city.', 'Austin', NOT_BLANK);
const weeks = Type.Integer({
  minimum: 1,
  maximum: 104,
  description: 'The duration of the assignment, in weeks.',
});
const positions = Type.Integer({
  minimum: 1,
  maximum: 999,
  description: 'The number of clinicians to find. Default 1.',
});
const startDate = Type.String({
  format: 'date',
  description: 'The first day of the assignment, such as 2030-01-31.',
  'x-message': 'must be a date, such as 2030-01-31',
});
const shift = named('Shift', oneOf(SHIFTS, { description: 'The working hours.' }));
const employmentType = named(
  'EmploymentType',
  oneOf(EMPLOYMENT_TYPES, { description: 'The type of contract.' }),
);
const notes = characters(2000, CONTROL_CHARACTERS_BUT_LINE_BREAKS, 'Further information, as free text.');

export const RequisitionRequest = named(
  'SubmitRequisitionRequest',
  strictObject(
    {
      title,
      specialty,
      state,
      city: Type.Optional(city),
      weeks: Type.Optional(weeks),
      external_id: Type.Optional(
        characters(
          100,
          CONTROL_CHARACTERS,
          'Your own id of the requisition. A second request with the same id and the same content returns the existing requisition; with other content 409.',
          'ATS-4711',
          NOT_BLANK,
        ),
      ),
      positions: Type.Optional(positions),
      start_date: Type.Optional(startDate),
      shift: Type.Optional(shift),
      employment_type: Type.Optional(employmentType),
      notes: Type.Optional(notes),
    },
    {
      examples: [
        { title: 'ICU travel nurse', specialty: 'RN critical care', state: 'TX', city: 'Austin', weeks: 13 },
      ],
    },
  ),
);

export const RequisitionChangeRequest = named(
  'ChangeRequisitionRequest',
  strictObject(
    {
      title: Type.Optional(title),
      specialty: Type.Optional(specialty),
      state: Type.Optional(state),
      city: Type.Optional(nullable(city)),
      weeks: Type.Optional(nullable(weeks)),
      positions: Type.Optional(nullable(positions)),
      start_date: Type.Optional(nullable(startDate)),
      shift: Type.Optional(nullable(shift)),
      employment_type: Type.Optional(nullable(employmentType)),
      notes: Type.Optional(nullable(notes)),
    },
    { examples: [{ weeks: 8, notes: null }] },
  ),
);

export type RequisitionInput = Static<typeof RequisitionRequest>;
export type RequisitionChange = Static<typeof RequisitionChangeRequest>;

export const RequisitionStatus = named(
  'RequisitionStatus',
  oneOf(STATUSES, { description: 'The status of a requisition.' }),
);

const requisitionMembers = {
  id: Type.String({ description: 'The id of the requisition: `req_` and 32 hexadecimal characters.' }),
  object: Type.Literal('requisition'),
  mode: Tier,
  status: described(
    RequisitionStatus,
    'The current status. A live requisition is `open` at once. A sandbox requisition is `submitted` until it is cancelled.',
  ),
  worked: Type.Boolean({
    description:
      'Whether the staffing team works on the requisition: true for live requisitions, false in the sandbox.',
  }),
  title: Type.String(),
  specialty: Type.String(),
  specialty_code: nullable(
    Type.String({
      description:
        'The taxonomy code (NUCC) that `specialty` was recognized as. null if it was not recognized.',
    }),
  ),
  state: Type.String(),
  city: nullable(Type.String()),
  weeks: nullable(Type.Integer()),
  external_id: nullable(Type.String()),
  positions: Type.Integer(),
  start_date: nullable(Type.String()),
  shift: nullable(shift),
  employment_type: nullable(employmentType),
  notes: nullable(Type.String()),
  created_at: dateTime('The time when the requisition was submitted.'),
  updated_at: dateTime('The time of the last change.'),
  history: Type.Array(
    named(
      'RequisitionStatusChange',
      strictObject({
        status: RequisitionStatus,
        at: dateTime('The time when the requisition got this status.'),
      }),
    ),
    {
      description: 'All statuses that the requisition has had, oldest first.',
    },
  ),
};

export const RequisitionResponse = named('Requisition', strictObject(requisitionMembers));
export const RequisitionListResponse = named('RequisitionPage', listOf(RequisitionResponse, {}));

/** A requisition for the administrator of the service. */
export const AdminRequisitionResponse = named(
  'AdminRequisition',
  strictObject({ partner_id: Type.String(), ...requisitionMembers }),
);
export const AdminRequisitionListResponse = named(
  'AdminRequisitionPage',
  listOf(AdminRequisitionResponse, {}),
);

export const RequisitionListQuery = strictObject({
  status: Type.Optional(RequisitionStatus),
  external_id: Type.Optional(
    characters(100, CONTROL_CHARACTERS, 'Return only the requisition with this external_id.'),
  ),
  limit: limitParameter('Requisitions per page.', DEFAULT_LIMIT),
  cursor: cursorParameter,
});

const path = (example: string) =>
  strictObject({
    id: Type.String({
      maxLength: 256,
      description: "The requisition's id: `req_` and 32 hexadecimal characters.",
      examples: [example],
    }),
  });

export const RequisitionPath = path(DEMO_REQUISITION_ID);
/** The path parameter with another example, so that deleting it leaves the one of the other operations. */
export const DeletedRequisitionPath = path(DEMO_SPARE_REQUISITION_ID);
/** The path parameter with a live requisition as example. */
export const LiveRequisitionPath = path(DEMO_LIVE_REQUISITION_ID);

export const DeletedRequisitionResponse = named(
  'DeletedRequisition',
  strictObject({ id: Type.String(), deleted: Type.Literal(true) }),
);
