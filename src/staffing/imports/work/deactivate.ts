import { join } from 'node:path';
import { timestamp } from '../../../platform/time/clock.ts';
import { amendRegistry } from '../../registry/amend.ts';
import { describeRegistry, type RegistryDescription } from '../../registry/description.ts';
import { type DeactivationReport, readDeactivated } from '../deactivations.ts';
import { refuseManyRemoved } from '../rules.ts';
import { Tally } from '../tally.ts';
import { type Applied, NONE_REFUSED, type Prepared } from '../work.ts';
import { Reporter, type WorkContext } from './context.ts';

/** Removes the clinicians that a report of deactivations names from the current registry. */
export class DeactivationWork {
  constructor(
    private readonly context: WorkContext,
    private readonly report: DeactivationReport,
    private readonly served: RegistryDescription,
  ) {}

  /** See `Work`. */
  async prepare(): Promise<Prepared> {
    const { report, served } = this;
    const tally = new Tally();
    const [named, bad] = [report.deactivations.length, report.bad.length];
    tally.addBadDeactivations(report);
    new Reporter(this.context).sendDeactivations(report.asOf, report.deactivations);
    return {
      kind: 'deactivations',
      registry: served.name,
      isNewFile: false,
      records: null,
      sample: served.sample,
      asOf: served.asOf,
      reportAsOf: report.asOf,
      groupings: served.groupings,
      rows: { ...tally.rows, read: named + bad, deactivated: named, bad },
      bad: tally.bad,
      lost: tally.lost,
      leftOut: { duplicates: 0, refused: 0, deactivated: 0, suppressed: 0 },
      warnings: [],
    };
  }

  /** Changes the registry in one transaction. See `Work`. */
  async apply(): Promise<Applied> {
    const { context, report, served } = this;
    const { directory, database } = context.places;
    new Reporter(context).at('changing the registry', 0, 0.5);
    const deactivated = await readDeactivated(database, report);
    const path = join(directory, served.name);
    const { removed } = amendRegistry(path, {
      put: [],
      remove: deactivated.npis(),
      at: timestamp(context.clock),
      kind: 'deactivations',
      allow: ({ removed }) => {
        if (!context.task.isForced) refuseManyRemoved(served, removed);
      },
    });
    const { records } = describeRegistry(path);
    return { records, added: 0, updated: 0, removed, unchanged: 0, refused: NONE_REFUSED, suppressed: 0 };
  }
}
