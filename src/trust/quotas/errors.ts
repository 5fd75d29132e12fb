/** What writes can be refused for whose payer has used up a quota. */
export const quotasErrors = {
  quota_exceeded: {
    status: 403,
    message: 'The storage quota of this account is used up; see GET /api/v1/operator/status.',
  },
} as const;
