import sql from './schema.sql' with { type: 'text' };

/**
 * Identifies a registry file: application_id 'CsRg', the format as user_version, and the tables. Files are not migrated to a new
 * format; they are rebuilt from the published data.
 */
export const registrySchema = { applicationId: 0x43735267, format: 1, sql };

/** The kind of name in a row of by_name, by_state or several_names. */
export const KIND = { whole: 0, other: 1, firstPart: 2 } as const;

/** The label of the list of all clinicians. */
export const EVERYBODY = '';

/** The state value of a count over all clinicians, in any state or none. */
export const ANYWHERE = '';
