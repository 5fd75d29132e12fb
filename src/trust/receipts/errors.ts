import { defineErrors } from '../../platform/http/errors/define-errors.ts';
/** The errors of receipts. */
export const receiptsErrors = defineErrors({
  receipt_not_found: {
    status: 404,
    message: 'No receipt has this id.',
    remedy: 'Check the receipt_id. Only public operations return receipts of other operators.',
  },
  receipt_already_finalized: {
    status: 409,
    message: 'The receipt already has a final status.',
    remedy: 'Read its current state in `receipt`. For another attempt at the work, issue a new receipt.',
  },
  receipt_already_revoked: {
    status: 409,
    message: 'The receipt is already revoked.',
    remedy: 'Do nothing: `receipt` is its current state.',
  },
});
