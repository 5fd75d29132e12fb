import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { Failure } from '../../platform/failure.ts';
import { displayUrl, fetchAll } from '../../platform/network/fetch.ts';
import type { LogName } from '../../proof/log/log-names.ts';
import type { FetchBudget } from './fetch-budget.ts';

const PAGE = 100;
const FETCHING = {
  maxBytes: 8 * 2 ** 20,
  timeoutMs: 30_000,
  failed: 'does not list checkpoints',
  hint: 'if only the files of the log are served, name their address, up to and including /log',
};
export const WRONG_LIST =
  'check that the URL is of a countersign service, and report the error to its administrator';

const CheckpointPage = Type.Object({
  checkpoints: Type.Array(
    Type.Object({
      checkpoint_id: Type.String({ maxLength: 100 }),
      origin: Type.String({ maxLength: 1000 }),
      tree_size: Type.Integer({ minimum: 0 }),
      root_hash: Type.String({ maxLength: 64 }),
      issued_at: Type.String({ maxLength: 40 }),
      previous_checkpoint_id: Type.Union([Type.String({ maxLength: 100 }), Type.Null()]),
      note: Type.String(),
    }),
  ),
  next_cursor: Type.Union([Type.String({ maxLength: 4096 }), Type.Null()]),
});
export type CheckpointPage = Static<typeof CheckpointPage>;
/** A row in a service's list of checkpoints. */
export type ListedCheckpoint = CheckpointPage['checkpoints'][number];

/**
 * Reports a server that has no list of checkpoints. Servers of files only respond with different statuses.
 */
export class UnlistedFailure extends Failure {}

/** A service's list of the checkpoints of a log, newest first, in pages. */
export class CheckpointPages {
  /** @param api the URL of the service */
  constructor(
    private readonly api: URL,
    private readonly log: LogName,
    private readonly budget: FetchBudget,
  ) {}

  /** The service, for messages. */
  get location(): string {
    return this.api.origin;
  }

  /**
   * Reads a page.
   * @param cursor from the page before; empty for the first page
   * @throws Failure for a page that cannot be read, an UnlistedFailure if there is no list
   */
  async at(cursor: string, limit = PAGE): Promise<CheckpointPage> {
    const url = new URL('/api/v1/receipts/checkpoints', this.api);
    url.searchParams.set('log', this.log);
    url.searchParams.set('limit', String(limit));
    if (cursor !== '') url.searchParams.set('cursor', cursor);
    let status = 0;
    const bytes = await this.budget.spend(this.location, async () => {
      const response = await fetchAll(url.href, FETCHING);
      ({ status } = response);
      return response.bytes;
    });
    if (status !== 200) {
      const Kind = [401, 403, 404, 405, 410].includes(status) ? UnlistedFailure : Failure;
      throw new Kind(`${displayUrl(url.href)} ${FETCHING.failed}: status ${status}`, FETCHING.hint);
    }
    let value: unknown;
    try {
      value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    } catch (error) {
      throw new Failure(
        `${this.location} ${FETCHING.failed}: ${error instanceof Error ? error.message : String(error)}`,
        FETCHING.hint,
      );
    }
    if (Value.Check(CheckpointPage, value)) return value;
    throw new Failure(`${this.location} lists checkpoints in a form that the API does not have`, WRONG_LIST);
  }
}
