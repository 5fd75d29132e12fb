import { join } from 'node:path';
import { timestamp } from '../../../platform/time/clock.ts';
import type { Dissemination } from '../../nppes/rows.ts';
import { amendRegistry } from '../../registry/amend.ts';
import { describeRegistry, type RegistryDescription } from '../../registry/description.ts';
import type { ClinicianRecord } from '../../registry/record.ts';
import { type DeactivationReport, type Reactivation, readDeactivated } from '../deactivations.ts';
import { refuseManyRemoved, refuseOld, requireSpace } from '../rules.ts';
import { Tally } from '../tally.ts';
import { type Applied, type Prepared, READING } from '../work.ts';
import { Reporter, type WorkContext } from './context.ts';

/** How the time of an import is divided: reading the file, then changing the registry. For the progress. */
const READ_SHARE = 0.4;
/**
 * The bytes of disk that a change of the registry needs for each byte of the file that is read, for its log.
 */
const SPACE_PER_BYTE = 6;

/** Changes the current registry by a weekly file. */
export class WeeklyWork {
  private readonly reporter: Reporter;
  private readonly put = new Map<number, ClinicianRecord>();
  private readonly remove = new Set<number>();
  private readonly tally = new Tally();

  constructor(
    private readonly context: WorkContext,
    private readonly source: Dissemination,
    private readonly asOf: string,
    private readonly served: RegistryDescription,
    private readonly report: DeactivationReport | null,
  ) {
    this.reporter = new Reporter(context);
  }

  /** See `Work`. */
  async prepare(): Promise<Prepared> {
    const { context, source, asOf, served, report, reporter, tally } = this;
    const leftOut = { duplicates: 0, refused: 0, deactivated: 0, suppressed: 0 };
    const reactivations: Reactivation[] = [];
    try {
      const gap = refuseOld(served, asOf);
      requireSpace(context.places.directory, source.facts.bytes * SPACE_PER_BYTE, 'the import');
      const deactivated = await readDeactivated(context.places.database, report);
      tally.addBadDeactivations(report);
      if (report !== null) {
        reporter.sendDeactivations(report.asOf, report.deactivations);
        for (const npi of deactivated.npis()) this.remove.add(npi);
      }
      for await (const batch of source) {
        const { rows, bytesRead } = batch;
        tally.addLost(batch);
        for (const row of rows) {
          tally.add(row);
          if (row.kind === 'bad') continue;
          if (row.kind !== 'clinician') {
            this.take(row.npi);
            continue;
          }
          const { record, reactivatedOn = null } = row;
          if (reactivatedOn !== null) reactivations.push({ npi: record.npi, reactivatedOn });
          if (deactivated.has(record.npi, reactivatedOn)) {
            leftOut.deactivated++;
            this.take(record.npi);
          } else {
            if (this.put.has(record.npi)) leftOut.duplicates++;
            else this.give(record);
          }
        }
        reporter.at(READING, tally.rows.read, (bytesRead / source.facts.bytes) * READ_SHARE);
      }
      reporter.sendReactivations(reactivations);
      const { name: registry } = served;
      return {
        kind: 'weekly',
        registry,
        isNewFile: false,
        records: null,
        sample: served.sample,
        asOf,
        reportAsOf: report?.asOf ?? null,
        groupings: served.groupings,
        rows: tally.rows,
        bad: tally.bad,
        lost: tally.lost,
        leftOut,
        warnings: gap === null ? [] : [gap],
      };
    } finally {
      source.close();
    }
  }

  /** Changes the registry in one transaction. See `Work`. */
  async apply(suppressed: readonly number[]): Promise<Applied> {
    const { context, served, asOf, reporter, tally } = this;
    reporter.at('changing the registry', tally.rows.read, READ_SHARE);
    let left = 0;
    for (const npi of suppressed) {
      if (this.put.delete(npi)) left++;
      this.remove.add(npi);
    }
    const path = join(context.places.directory, served.name);
    const { added, changed, removed, unchanged, refused } = amendRegistry(path, {
      put: this.put.values(),
      remove: this.remove,
      asOf,
      at: timestamp(context.clock),
      kind: 'weekly',
      allow: (change) => {
        if (!context.task.isForced) refuseManyRemoved(served, change.removed);
      },
    });
    const { records } = describeRegistry(path);
    return { records, added, updated: changed, removed, unchanged, refused, suppressed: left };
  }

  private give(record: ClinicianRecord): void {
    this.put.set(record.npi, record);
    this.remove.delete(record.npi);
  }

  private take(npi: number): void {
    this.remove.add(npi);
    this.put.delete(npi);
  }
}
