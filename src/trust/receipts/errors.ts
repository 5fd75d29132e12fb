/** What only receipts can be refused for. */
export const receiptsErrors = {
  receipt_not_found: { status: 404, message: 'There is no receipt with this id.' },
  receipt_already_finalized: { status: 409, message: 'The receipt is already in a final status.' },
  receipt_already_revoked: { status: 409, message: 'The receipt is already revoked.' },
} as const;
