/** The errors of the registry. */
export const registryErrors = {
  REGISTRY_UNAVAILABLE: {
    status: 503,
    message: 'The service cannot read the clinician registry.',
    remedy: 'Repeat the request later.',
  },
} as const;
