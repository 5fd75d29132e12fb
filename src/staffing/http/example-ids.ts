/**
 * The identifiers and keys of the data that `serve --service staffing --demo` loads, which the examples of
 * the documentation name. They are public, so they must not give access to anything except a demonstration.
 */

/** The first characters of the sandbox key, without its checksum. */
export const DEMO_KEY_TEXT = `mpk_test_${'Demo'.repeat(8)}00`;
/** The sandbox key of the demonstration's first partner. */
export const DEMO_KEY = `${DEMO_KEY_TEXT}2q2Hpx`;
/** The first characters of the same partner's live key, without its checksum. */
export const DEMO_LIVE_TEXT = `mpk_live_${'Demo'.repeat(8)}00`;
export const DEMO_ADMIN_TOKEN = `adm_${'de30'.repeat(16)}`;

/** A partner with a sandbox only. */
export const DEMO_PARTNER_ID = `ptr_${'2'.padStart(32, '0')}`;
/** That partner's key. */
export const DEMO_PARTNER_KEY_ID = `key_${'2'.padStart(32, '0')}`;
/** A key of the first partner that was revoked. */
export const DEMO_REVOKED_KEY_ID = `key_${'3'.padStart(32, '0')}`;

/** A requisition in the sandbox of the first partner. */
export const DEMO_REQUISITION_ID = `req_${'1'.padStart(32, '0')}`;
/** Another one, for the example that deletes it. */
export const DEMO_SPARE_REQUISITION_ID = `req_${'3'.padStart(32, '0')}`;
/** A live requisition of the same partner, which is open. */
export const DEMO_LIVE_REQUISITION_ID = `req_${'2'.padStart(32, '0')}`;

/** A clinician of the sample registry. */
export const SAMPLE_NPI = '2000123457';

/** The date of the sample registry, with which its history begins. */
export const SAMPLE_DAY = '2026-01-01';
