import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';

/** A requisition as it was submitted. */
const requisition = {
  id: 'req_01a20229ead372deb9198a83073b9e8b',
  object: 'requisition',
  mode: 'sandbox',
  status: 'submitted',
  worked: false,
  title: 'ICU travel nurse',
  specialty: 'RN critical care',
  specialty_code: '163WC0200X',
  state: 'TX',
  city: 'Austin',
  weeks: 13,
  external_id: 'ATS-4711',
  positions: 1,
  start_date: null,
  shift: null,
  employment_type: null,
  notes: null,
  created_at: '2026-11-22T07:30:31.251Z',
  updated_at: '2026-11-22T07:30:31.251Z',
  history: [
    {
      status: 'submitted',
      at: '2026-11-22T07:30:31.251Z',
    },
  ],
};

/** The same after a change. */
const changed = { ...requisition, weeks: 8, updated_at: '2026-11-22T07:30:32.473Z' };

/** Responses of the operations, as a service returned them; secrets are zeros. */
export const examples: OperationExamples = {
  submitJob: {
    '200': requisition,
    '201': requisition,
  },
  listJobs: {
    '200': {
      data: [requisition],
      has_more: false,
      next_cursor: null,
    },
  },
  getJob: {
    '200': requisition,
  },
  changeJob: {
    '200': changed,
  },
  cancelJob: {
    '200': {
      ...changed,
      status: 'cancelled',
      updated_at: '2026-11-22T07:30:32.514Z',
      history: [...requisition.history, { status: 'cancelled', at: '2026-11-22T07:30:32.514Z' }],
    },
  },
  deleteJob: {
    '200': {
      id: 'req_01a20229ead372deb9198a83073b9e8b',
      deleted: true,
    },
  },
};
