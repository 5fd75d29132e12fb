/**
 * The cookie of a session of a key. It is not that of the trust service, which can run on another port of the
 * same host: cookies do not differ by port.
 */
export const SESSION_COOKIE = 'staffing_session';
