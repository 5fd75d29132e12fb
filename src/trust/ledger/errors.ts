/** The errors of movements of credits. */
export const ledgerErrors = {
  insufficient_credits: {
    status: 402,
    message: 'The credits do not suffice.',
    remedy: 'Grant or transfer credits to the payer, or send a smaller amount.',
  },
} as const;
