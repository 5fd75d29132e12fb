import sql from './schema.sql' with { type: 'text' };

/**
 * What makes a file a registry: 'CsRg' as application_id, its format as user_version, its tables. A file is never
 * brought to another format: it is built anew from the published data.
 */
export const registrySchema = { applicationId: 0x43735267, format: 1, sql };

/** Which of a clinician's names a row of by_name, by_state or several_names is. */
export const KIND = { whole: 0, other: 1, firstPart: 2 } as const;

/** The label of the list that everybody is in. */
export const EVERYBODY = '';

/** The state of a count that is of all states, and of clinicians without one. */
export const ANYWHERE = '';
