/** What requisitions can be refused for. */
export const jobsErrors = {
  REQUISITION_LIMIT_REACHED: { status: 403, message: 'A sandbox stores 25 requisitions; delete one first.' },
  EXTERNAL_ID_CONFLICT: {
    status: 409,
    message: 'This external_id came with other content before.',
    remedy: 'Change that requisition with PATCH, or use another external_id.',
  },
} as const;
