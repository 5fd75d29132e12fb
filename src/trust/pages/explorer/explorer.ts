import type { Demonstration } from '../../../platform/http/openapi/demonstration.ts';
import type { LogName } from '../../../proof/log/log-names.ts';
import type { SizeAt } from '../../log/growth.ts';
import type { ExplorerContext } from './context.ts';
import type { StartFigures } from './start/figures.ts';
import { TimedCache } from './timed-cache.ts';

/** What pages get: the parts of the service, and the caches of figures that are expensive. */
export class Explorer {
  readonly startFigures: TimedCache<'start', StartFigures>;
  readonly logLives: TimedCache<LogName, SizeAt[]>;

  /** @param demonstration null for a service that is none */
  constructor(
    readonly trust: ExplorerContext,
    readonly demonstration: Demonstration | null,
  ) {
    this.startFigures = new TimedCache(trust.clock, 1000);
    this.logLives = new TimedCache(trust.clock, 10_000);
  }
}
