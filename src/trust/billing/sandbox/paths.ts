/** Returns the path of the page of a session. */
export const pagePath = (sessionId: string): string => `/sandbox/checkout/${sessionId}`;
