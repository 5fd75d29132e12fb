import { commonErrors } from '../http/errors.ts';
import { areCoveredBy, type CoveringPublisher } from '../log/checkpoints/coverage.ts';
import type { RequestedContent } from './requested-content.ts';
import type { TreeSizes } from './store.ts';

/** A checkpoint takes a second at most to be published. */
const WAIT_MS = 3000;

/** Reports that the newest checkpoints do not contain all leaves of an agent yet. */
export class LeavesUncovered extends Error {
  override readonly name = 'LeavesUncovered';
  /**
   * @param content what was read; it needs these leaves
   * @param needed the sizes of trees that contain them
   */
  constructor(
    readonly content: RequestedContent,
    readonly needed: TreeSizes,
  ) {
    super('the newest checkpoints do not contain all leaves of the agent');
  }
}

export interface CoverageContext {
  log: { publisher: CoveringPublisher<'evidence' | 'receipts'> };
}

/**
 * Returns the result of `attempt`. When it rejects with LeavesUncovered, waits for checkpoints that contain
 * these leaves, and calls it again with the content that it read. A new reading would not help: an agent that
 * works without a pause always has new leaves.
 * @param timeoutMs how long it waits in all, three seconds by default
 * @throws ApiError overloaded if no checkpoint covers the leaves by then; and other errors of `attempt`
 */
export async function whenCovered<T>(
  context: CoverageContext,
  attempt: (earlier: RequestedContent | null) => Promise<T>,
  timeoutMs = WAIT_MS,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  let earlier: RequestedContent | null = null;
  for (;;) {
    try {
      return await attempt(earlier);
    } catch (error) {
      if (!(error instanceof LeavesUncovered)) throw error;
      await published(context, error.needed, end);
      earlier = error.content;
    }
  }
}

/**
 * Waits until the log of receipts has a checkpoint of at least a size.
 * @throws ApiError overloaded if there is none after three seconds
 */
export function receiptsPublished(context: CoverageContext, size: number): Promise<void> {
  return published(context, { evidence: 0, receipts: size }, performance.now() + WAIT_MS);
}

/**
 * Waits for checkpoints of at least these sizes.
 * @throws ApiError overloaded at the time `end` of the monotonic clock
 */
async function published(
  { log: { publisher } }: CoverageContext,
  { evidence, receipts }: TreeSizes,
  end: number,
): Promise<void> {
  const sizes = [['evidence', evidence] as const, ['receipts', receipts] as const];
  if (!(await areCoveredBy(publisher, sizes, end))) throw noCheckpoint();
}

/** Returns the error for a credential that would cite a checkpoint which does not exist yet. */
export function noCheckpoint() {
  return commonErrors.overloaded({
    message:
      'The log has published no checkpoint that contains the newest leaf of the agent or cluster, which the credential would cite. Repeat the request later.',
    headers: { 'retry-after': '5' },
  });
}
