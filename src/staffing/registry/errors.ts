import { defineErrors } from '../../platform/http/errors/define-errors.ts';
/** The errors of the registry. */
export const registryErrors = defineErrors({
  REGISTRY_UNAVAILABLE: {
    status: 503,
    message: 'The service cannot read the clinician registry.',
    remedy: 'Repeat the request later.',
  },
});
