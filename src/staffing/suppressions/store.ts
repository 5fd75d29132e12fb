import { suppression } from '../../../db/staffing/suppressions.ts';
import { sqlOf } from '../../platform/store/sql.ts';

/** A suppressed clinician, with the encrypted registry entry. */
export type SuppressionRow = typeof suppression.$inferSelect;

const sql = sqlOf({ suppression });

/** Stores a suppression; for a suppressed clinician it replaces the reason. */
export const putSuppression = sql.insert(suppression, {
  without: ['record', 'registry'],
  end: 'ON CONFLICT (npi) DO UPDATE SET reason = excluded.reason',
});

/** Stores a clinician's encrypted entry and the name of its registry file. */
export const setRecord = sql.update(suppression, ['record', 'registry'])`WHERE npi = ${'npi'}`;

export const suppressionOf = sql.row(suppression)`WHERE npi = ${'npi'}`;

export const deleteSuppression = sql.run`DELETE FROM suppression WHERE npi = ${'npi'}`;

/** Returns the NPIs of all suppressed clinicians. */
export const suppressedNpis = sql.values(suppression.npi, { scans: 'few clinicians are suppressed' })``;

/** Returns up to `limit` suppressions with a greater NPI, in order. */
export const suppressionsAbove = sql.joined({
  npi: suppression.npi,
  reason: suppression.reason,
  at: suppression.at,
}).rows`FROM suppression WHERE npi > ${'above:npi'} ORDER BY npi LIMIT ${'limit'}`;
