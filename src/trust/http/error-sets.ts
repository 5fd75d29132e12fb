import { commonErrors } from './errors.ts';

/** An operation with a key. */
const KEYED = [commonErrors.validation_error, commonErrors.unauthorized, commonErrors.forbidden];
/** A public operation, whose callers are limited by address. */
const PUBLIC = [commonErrors.validation_error, commonErrors.rate_limit_exceeded];
/** An operation that reads a body. */
const BODY = [
  commonErrors.validation_error,
  commonErrors.invalid_json,
  commonErrors.payload_too_large,
  commonErrors.unsupported_media_type,
];
/** An operation that uses the store. */
const STORED = [commonErrors.storage_unavailable, commonErrors.overloaded];
const WRITE = [...KEYED, commonErrors.scope_ended, ...BODY, ...STORED];

/** The errors that many operations share, by the name that `api.md` gives between asterisks. */
export const errorSets = {
  keyed: KEYED,
  public: PUBLIC,
  body: BODY,
  stored: STORED,
  /** An operation that writes with a key. */
  write: WRITE,
  /** The same, with a rate limit. */
  'limited write': [...WRITE, ...PUBLIC],
  'public read': [...PUBLIC, ...STORED],
  'public write': [...PUBLIC, ...BODY, ...STORED],
};
