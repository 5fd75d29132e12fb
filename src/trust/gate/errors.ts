/** What issuing is refused for while the gate denies. */
export const gateErrors = {
  gate_denied: {
    status: 403,
    message: 'The gate does not let this operator act now.',
    remedy: '`reason` says why; GET /api/v1/operator/status says when it ends.',
  },
} as const;
