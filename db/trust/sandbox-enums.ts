/** The states of a checkout session of the sandbox. */
export const SANDBOX_STATUSES = ['open', 'paid', 'failed'] as const;
