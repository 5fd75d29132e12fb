/** The value of `type` of a proof of a journal's head. Nothing signs it, so it is no signed type. */
export const HEAD_PROOF_TYPE = 'journal-head-proof' as const;
