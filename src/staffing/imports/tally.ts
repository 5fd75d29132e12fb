import type { LostField, NppesRow, RowBatch } from '../nppes/rows.ts';
import type { DeactivationReport } from './deactivations.ts';
import { type BadRow, type LostFields, MOST_EXAMPLES, noLostFields, type RowCounts } from './report.ts';

/** Counts the rows of a file of clinicians, and collects examples of bad ones. */
export class Tally {
  readonly rows: RowCounts = {
    read: 0,
    clinicians: 0,
    organizations: 0,
    deactivated: 0,
    other_groupings: 0,
    bad: 0,
  };
  readonly bad: { by_reason: Record<string, number>; examples: BadRow[] } = { by_reason: {}, examples: [] };

  readonly lost: LostFields = noLostFields();

  /** Counts the unreadable fields of a batch. Its rows are counted by `add`. */
  addLost({ lost }: Pick<RowBatch, 'lost'>): void {
    for (const field of lost) this.addLostField(field);
  }

  /** Counts a row. */
  add(row: NppesRow): void {
    this.rows.read++;
    if (row.kind === 'clinician') this.rows.clinicians++;
    else if (row.kind === 'removed') this.rows.deactivated++;
    else if (row.kind === 'bad') this.addBad(row);
    else if (row.reason === 'organization') this.rows.organizations++;
    else this.rows.other_groupings++;
  }

  /** Counts the bad rows of a report of deactivations. */
  addBadDeactivations(report: DeactivationReport | null): void {
    for (const { line, reason } of report?.bad ?? []) {
      this.addReason(reason);
      this.example({ line, npi: null, field: null, reason: `report of deactivations: ${reason}` });
    }
  }

  private addLostField({ line, npi, field, reason }: LostField): void {
    const { lost } = this;
    lost.count++;
    lost.by_reason[reason] = (lost.by_reason[reason] ?? 0) + 1;
    if (lost.examples.length < MOST_EXAMPLES) lost.examples.push({ line, npi: String(npi), field, reason });
  }

  private addReason(reason: string): void {
    this.bad.by_reason[reason] = (this.bad.by_reason[reason] ?? 0) + 1;
  }

  private addBad({ line, npi, field, reason }: Extract<NppesRow, { kind: 'bad' }>): void {
    this.rows.bad++;
    this.addReason(reason);
    this.example({ line, npi: npi === null ? null : String(npi), field, reason });
  }

  private example(row: BadRow): void {
    if (this.bad.examples.length < MOST_EXAMPLES) this.bad.examples.push(row);
  }
}
