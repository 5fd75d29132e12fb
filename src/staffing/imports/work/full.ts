import { join } from 'node:path';
import { ownCopyOf } from '../../../platform/memory/own-copy.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import type { Dissemination, NppesRow } from '../../nppes/rows.ts';
import { type Built, RegistryBuilder } from '../../registry/build.ts';
import { completeFullImport } from '../../registry/changes.ts';
import type { RegistryDescription } from '../../registry/description.ts';
import type { ClinicianRecord } from '../../registry/record.ts';
import type { TaxonomyEntry } from '../../registry/vocabulary/taxonomy.ts';
import {
  type Deactivated,
  type DeactivationReport,
  type Reactivation,
  readDeactivated,
} from '../deactivations.ts';
import { addRefused } from '../report.ts';
import { requireSpace } from '../rules.ts';
import { Tally } from '../tally.ts';
import { type Applied, NONE_REFUSED, type Prepared, READING } from '../work.ts';
import { Reporter, type WorkContext } from './context.ts';

/**
 * How the time of an import is divided: reading the file, then the steps of the builder. For the progress.
 */
const READ_SHARE = 0.7;
const STEP_SHARES: Readonly<Record<string, readonly [from: number, to: number]>> = {
  sort: [0.7, 0.72],
  entries: [0.72, 0.8],
  lists: [0.8, 0.92],
  'near names': [0.92, 0.94],
  history: [0.94, 0.95],
  check: [0.95, 0.98],
  sync: [0.98, 1],
};
/** The bytes of disk that a registry and its temporary files need for each byte of the file that is read. */
const SPACE_PER_BYTE = 0.7;

/** What a new registry file is to be. */
export interface FullOptions {
  /** YYYY-MM-DD. */
  asOf: string;
  taxonomy: readonly TaxonomyEntry[];
  /** The groupings to keep; null for all. */
  groupings: readonly string[] | null;
}

/** Builds a new registry file from a complete file of clinicians. */
export class FullWork {
  private readonly reporter: Reporter;
  private readonly tally = new Tally();
  private readonly reactivations: Reactivation[] = [];
  private readonly leftOut = { duplicates: 0, refused: 0, deactivated: 0, suppressed: 0 };
  private suppressed: ReadonlySet<number> = new Set();
  /** The records of suppressed clinicians by NPI, for suppressions that are ended while the file is built. */
  private readonly withheld = new Map<number, ClinicianRecord>();
  private built: Built | null = null;

  constructor(
    private readonly context: WorkContext,
    private readonly source: Dissemination,
    private readonly options: FullOptions,
    private readonly served: RegistryDescription | null,
    private readonly report: DeactivationReport | null,
  ) {
    this.reporter = new Reporter(context);
  }

  /** See `Work`. */
  async prepare(suppressed: readonly number[]): Promise<Prepared> {
    const { context, source, options, report, reporter } = this;
    const { directory, database } = context.places;
    this.suppressed = new Set(suppressed);
    requireSpace(directory, source.facts.bytes * SPACE_PER_BYTE, 'the import');
    const deactivated = await readDeactivated(database, report);
    this.tally.addBadDeactivations(report);
    if (report !== null) reporter.sendDeactivations(report.asOf, report.deactivations);
    try {
      this.built = await this.build(deactivated);
    } finally {
      source.close();
    }
    const { name, records, sample, duplicates, refused } = this.built;
    this.leftOut.duplicates = duplicates;
    this.leftOut.refused = refused.count;
    addRefused(this.tally.bad, refused);
    reporter.sendReactivations(this.reactivations);
    return {
      kind: 'full',
      registry: name,
      isNewFile: true,
      records,
      sample,
      asOf: options.asOf,
      reportAsOf: report?.asOf ?? null,
      groupings: options.groupings,
      rows: this.tally.rows,
      bad: this.tally.bad,
      lost: this.tally.lost,
      leftOut: this.leftOut,
      warnings: this.warnings(),
    };
  }

  /**
   * Removes who was suppressed while the file was built, adds whose suppression was ended, and completes the
   * history. See `Work`.
   */
  async apply(suppressed: readonly number[]): Promise<Applied> {
    if (this.built === null) throw new Error('apply was called before prepare');
    const { name, records } = this.built;
    const { context, served } = this;
    const { clock, places } = context;
    const path = join(places.directory, name);
    const previous = served === null ? null : join(places.directory, served.name);
    const hidden = new Set(suppressed);
    const put = [...this.withheld.values()].filter(({ npi }) => !hidden.has(npi));
    const { added, removed } = completeFullImport(path, previous, {
      put,
      remove: hidden,
      at: timestamp(clock),
    });
    const unknown = { added: null, updated: null, removed: null, unchanged: null };
    const change = added - removed;
    // `prepare` counted those who are added now as suppressed.
    return { ...unknown, records: records + change, refused: NONE_REFUSED, suppressed: -change };
  }

  private warnings(): string[] {
    const { options, served } = this;
    if (served === null || served.sample || options.asOf >= served.asOf) return [];
    return [`the file is as of ${options.asOf}, older than the previous registry, as of ${served.asOf}`];
  }

  /** Reads the file into a new registry file. @throws Failure, Cancelled: the new file is removed */
  private async build(deactivated: Deactivated): Promise<Built> {
    const { source, reporter, tally } = this;
    const builder = this.begin();
    try {
      for await (const batch of source) {
        const { rows, bytesRead } = batch;
        tally.addLost(batch);
        for (const row of rows) this.add(builder, row, deactivated);
        reporter.at(READING, tally.rows.read, (bytesRead / source.facts.bytes) * READ_SHARE);
      }
      return builder.finish((step, share) => reporter.at(step, tally.rows.read, shareOf(step, share)));
    } catch (error) {
      builder.discard();
      throw error;
    }
  }

  private begin(): RegistryBuilder {
    const { context, options, served } = this;
    const { directory } = context.places;
    const builder = new RegistryBuilder(directory, {
      ...options,
      sample: null,
      at: timestamp(context.clock),
      previous: served === null ? null : join(directory, served.name),
    });
    context.onEvent({ event: 'building', registry: builder.name });
    return builder;
  }

  private add(builder: RegistryBuilder, row: NppesRow, deactivated: Deactivated): void {
    this.tally.add(row);
    if (row.kind !== 'clinician') return;
    const { record, reactivatedOn = null } = row;
    if (reactivatedOn !== null) {
      this.reactivations.push({ npi: record.npi, reactivatedOn: ownCopyOf(reactivatedOn) });
    }
    if (deactivated.has(record.npi, reactivatedOn)) this.leftOut.deactivated++;
    else if (this.suppressed.has(record.npi)) this.withhold(record);
    else builder.add(record);
  }

  /** As in the builder, the first record with an NPI counts. */
  private withhold(record: ClinicianRecord): void {
    this.leftOut.suppressed++;
    // A copy, because the record's texts are parts of the text of many rows.
    if (!this.withheld.has(record.npi)) this.withheld.set(record.npi, structuredClone(record));
  }
}

/** Returns the share of the whole import that is done with a share of one of the builder's steps. */
function shareOf(step: string, share: number): number {
  const [from, to] = STEP_SHARES[step] ?? [READ_SHARE, READ_SHARE];
  return from + share * (to - from);
}
