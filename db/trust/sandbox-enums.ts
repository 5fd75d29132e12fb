/** The states of a checkout session of the sandbox. */
export const SANDBOX_STATUSES = ['open', 'paid', 'failed'] as const;

export type SandboxStatus = (typeof SANDBOX_STATUSES)[number];
