/** What only receipts can be refused for. */
export const receiptsErrors = {
  receipt_not_found: {
    status: 404,
    message: 'There is no receipt with this id.',
    remedy: 'Check the receipt_id; only public operations find receipts of other operators.',
  },
  receipt_already_finalized: {
    status: 409,
    message: 'The receipt is already in a final status.',
    remedy: '`receipt` is the receipt as it is; a new attempt at the work needs a new receipt.',
  },
  receipt_already_revoked: {
    status: 409,
    message: 'The receipt is already revoked.',
    remedy: '`receipt` is the receipt as it is; nothing is left to do.',
  },
} as const;
