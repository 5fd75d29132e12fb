/** The database's file in a data directory of this service. */
export const TRUST_DATABASE = 'trust.db';
