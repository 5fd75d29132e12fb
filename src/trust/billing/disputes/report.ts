import { REPORT_MONEY, REPORT_STATUSES } from '../../../../db/trust/billing-enums.ts';
import type { ReportRow } from '../report-store.ts';

/** What one event, or all events about an id, say about a payment after it was made. */
export type Report = Omit<ReportRow, 'waiting' | 'receivedAt'>;

/** An event with a report. */
export interface ReportedFact {
  kind: 'reported';
  report: Report;
}

/**
 * Combines two reports of the same id. The newer event decides, and of the same second the later one of the
 * lists of states. So the result depends neither on the order of events nor on repetitions.
 */
export function combined(one: Report, other: Report): Report {
  const [status, money] = [
    newer(one, other, ({ statusAt, status, cents }) => [
      statusAt,
      REPORT_STATUSES.indexOf(status),
      cents ?? Number.MAX_VALUE,
    ]),
    newer(one, other, ({ moneyAt, money }) => [moneyAt, REPORT_MONEY.indexOf(money)]),
  ];
  return {
    ...status,
    chargeId: [one.chargeId, other.chargeId].sort()[0] ?? one.chargeId,
    money: money.money,
    moneyAt: money.moneyAt,
    heldUntil: Math.min(one.heldUntil, other.heldUntil),
  };
}

function newer(one: Report, other: Report, orderOf: (report: Report) => readonly number[]): Report {
  const [left, right] = [orderOf(one), orderOf(other)];
  const at = left.findIndex((value, index) => value !== right[index]);
  return at >= 0 && (left[at] ?? 0) < (right[at] ?? 0) ? other : one;
}
