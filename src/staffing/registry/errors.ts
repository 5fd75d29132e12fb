/** What only the registry can be refused for. */
export const registryErrors = {
  REGISTRY_UNAVAILABLE: {
    status: 503,
    message: 'The clinician registry cannot be read now.',
    remedy: 'Repeat the request later.',
  },
} as const;
