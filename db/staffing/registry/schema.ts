import sql from './schema.sql' with { type: 'text' };

/**
 * What makes a file a registry: 'CsRg' as application_id, its format as user_version, its tables. A file is never
 * brought to another format: it is built anew from the published data.
 */
export const registrySchema = { applicationId: 0x43735267, format: 1, sql };
