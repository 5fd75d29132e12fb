import { join } from 'node:path';
import { timestamp } from '../../../platform/time/clock.ts';
import { amendRegistry } from '../../registry/amend.ts';
import { takeBack } from '../../registry/changes.ts';
import { describeRegistry, type RegistryDescription } from '../../registry/description.ts';
import { readDeactivated } from '../deactivations.ts';
import { noLostFields } from '../report.ts';
import { type Applied, NONE_REFUSED, type Prepared } from '../work.ts';
import { Reporter, type WorkContext } from './context.ts';

/** Prepares the former registry file to be the current one again. */
export class RollbackWork {
  constructor(
    private readonly context: WorkContext,
    private readonly former: RegistryDescription,
    private readonly served: RegistryDescription,
  ) {}

  /** See `Work`. */
  async prepare(): Promise<Prepared> {
    const { former } = this;
    return {
      kind: 'rollback',
      registry: former.name,
      isNewFile: true,
      records: null,
      sample: former.sample,
      asOf: former.asOf,
      reportAsOf: null,
      groupings: former.groupings,
      rows: null,
      bad: { by_reason: {}, examples: [] },
      lost: noLostFields(),
      leftOut: { duplicates: 0, refused: 0, deactivated: 0, suppressed: 0 },
      warnings: [],
    };
  }

  /**
   * Removes who was suppressed or deactivated since, and continues the history of the newer file. See `Work`.
   */
  async apply(suppressed: readonly number[]): Promise<Applied> {
    const { context, former, served } = this;
    const { directory, database } = context.places;
    const [path, newer] = [join(directory, former.name), join(directory, served.name)];
    const at = timestamp(context.clock);
    const reporter = new Reporter(context);
    reporter.at('applying suppressions and deactivations', 0, 0.1);
    const deactivated = await readDeactivated(database, null);
    const put: [] = [];
    const hidden = amendRegistry(path, { put, remove: suppressed, at, kind: 'suppression' });
    amendRegistry(path, { put, remove: deactivated.npis(), at, kind: 'deactivations' });
    reporter.at('comparing the registries', 0, 0.3);
    takeBack(path, newer, at);
    const unknown = { added: null, updated: null, removed: null, unchanged: null };
    return {
      ...unknown,
      records: describeRegistry(path).records,
      refused: NONE_REFUSED,
      suppressed: hidden.removed,
    };
  }
}
