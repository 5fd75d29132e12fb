/** Returns the path of the portal of a customer. @param token see `portalToken` */
export const portalPath = (token: string): string => `/sandbox/portal/${token}`;

/** Returns the path of the page of a session. */
export const pagePath = (sessionId: string): string => `/sandbox/checkout/${sessionId}`;
