import { defineErrors } from '../../../platform/http/errors/define-errors.ts';
/** The error of issuing while the gate denies. */
export const gateErrors = defineErrors({
  gate_denied: {
    status: 403,
    message: 'The gate currently denies this operator.',
    remedy: 'Read the cause in `reason`, and the end of the denial in GET /api/v1/operator/status.',
  },
});
