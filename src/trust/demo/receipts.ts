import { sha256Hex } from '../../platform/crypto/crypto.ts';
import type { ApiCall } from '../../platform/demo/api-client.ts';
import type { KnownIds } from '../../platform/demo/known-ids.ts';
import type { ScenarioClock } from '../../platform/demo/scenario-clock.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { DAY_MS, HOUR_MS } from '../../platform/time/units.ts';
import type { Domain } from '../../proof/receipt/receipt.ts';
import { demoReceiptId } from '../http/example-ids.ts';

/** The parts of the service that the scenario's steps use. */
export interface DemoClient {
  ask: ApiCall;
  clock: ScenarioClock;
  ids: KnownIds;
}

interface Order {
  key: string;
  agentId: string;
  domain: Domain;
  scope: string;
  /** RFC 3339. By default 10 years after the receipt is issued. */
  expiry?: string;
  blind?: true;
  /** The content_hash of the previous receipt in a chain. */
  after?: string;
}

/** The body of a request that finalizes a receipt. */
export type Outcome = Readonly<Record<string, string>>;

/** Issues, finalizes and revokes the receipts of the scenario. Their ids count up from 1. */
export class Receipts {
  private issued = 0;

  constructor(private readonly client: DemoClient) {}

  /** Issues a receipt. @returns its id */
  async issue({ key, agentId, domain, scope, expiry, blind, after }: Order): Promise<string> {
    const { ask, clock, ids } = this.client;
    this.issued++;
    const id = demoReceiptId(this.issued);
    ids.reserve(id);
    await ask('POST /api/v1/receipts', {
      key,
      body: {
        agent_id: agentId,
        receipt_type: this.issued % 3 === 0 ? 'competence' : 'custody',
        input_digest: sha256Hex(`input of ${id}`),
        authority_scope: scope,
        expiry: expiry ?? timestampOf(clock.now() + 3650 * DAY_MS),
        domain,
        ...(blind === undefined ? {} : { blind }),
        ...(after === undefined ? {} : { prev_receipt_hash: after }),
      },
    });
    return id;
  }

  /** Advances the clock by two minutes and finalizes a receipt. @returns its content_hash */
  async finalize(key: string, id: string, outcome: Outcome): Promise<string> {
    const { ask, clock } = this.client;
    clock.advanceTo(clock.now() + HOUR_MS / 30);
    const { content_hash } = await ask(`POST /api/v1/receipts/${id}/finalize`, { key, body: outcome });
    return String(content_hash);
  }

  /** Revokes a receipt. */
  async revoke(key: string, id: string, reason: string): Promise<void> {
    await this.client.ask(`POST /api/v1/receipts/${id}/revoke`, { key, body: { reason } });
  }
}

/** Returns the outcome of successful work. @param id of the receipt */
export const success = (id: string): Outcome => ({
  status: 'success',
  output_hash: sha256Hex(`output of ${id}`),
});

/** The outcomes other than success, one of each status. */
export const OTHER_OUTCOMES: readonly Outcome[] = [
  { status: 'refusal', refusal_reason: 'The order exceeds the approved budget.' },
  { status: 'null', refusal_reason: 'There was nothing to reconcile.' },
  { status: 'terminal', terminal_reason: 'The operator ended the task.' },
  { status: 'graceful_shutdown', terminal_reason: 'The agent was updated.' },
  { status: 'timeout', terminal_reason: 'The ledger did not respond within 30 seconds.' },
  {
    status: 'failure_tombstone',
    terminal_reason: 'The totals do not add up.',
    error_tranche: 'LOGIC_DETECTION',
  },
];
