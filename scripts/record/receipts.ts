import { sha256Hex } from '../../src/platform/crypto/crypto.ts';
import type { ApiCall } from '../../src/platform/demo/api-client.ts';
import { OTHER_OUTCOMES, success } from '../../src/trust/demo/receipts.ts';
import { DEMO_API_KEY, DEMO_RECEIPT_ID } from '../../src/trust/http/example-ids.ts';
import { issueBody } from '../../test/support/client.ts';
import type { Known } from '../../test/support/recorded/known.ts';
import type { Json, Session } from '../../test/support/recorded/session.ts';

const RECEIPTS = '/api/v1/receipts';

/** Issues, finalizes and revokes receipts about an agent by an operator's key. */
export class Issuer {
  constructor(
    private readonly ask: ApiCall,
    private readonly key: string,
    private readonly agent_id: string,
  ) {}

  /** Issues a receipt. @returns its id */
  async issue(more: Json = {}, headers: Record<string, string> = {}): Promise<string> {
    const body = issueBody({ agent_id: this.agent_id, ...more });
    return String((await this.ask(`POST ${RECEIPTS}`, { key: this.key, body, headers })).receipt_id);
  }

  /** Finalizes a receipt. @returns it */
  finalize(id: string, outcome: Json = success(id), headers: Record<string, string> = {}): Promise<Json> {
    return this.ask(`POST ${RECEIPTS}/${id}/finalize`, { key: this.key, body: outcome, headers });
  }

  async revoke(id: string, reason: string): Promise<void> {
    await this.ask(`POST ${RECEIPTS}/${id}/revoke`, { key: this.key, body: { reason } });
  }

  /**
   * Issues receipts up to every status: blind, chained, expiring, revoked, and with every outcome. @returns
   * two that are pending
   */
  async everyStatus(): Promise<[string, string]> {
    const first = await this.issue({}, { 'idempotency-key': `issue-${crypto.randomUUID()}` });
    const { content_hash } = await this.finalize(first, success(first), {
      'idempotency-key': `finalize-${crypto.randomUUID()}`,
    });
    const next = await this.issue({ prev_receipt_hash: content_hash, receipt_type: 'competence' });
    await this.finalize(next);
    for (const outcome of OTHER_OUTCOMES) await this.finalize(await this.issue(), outcome);
    const blind = await this.issue({ blind: true });
    await this.finalize(blind);
    await this.issue({ blind: true, authority_scope: 'pending' });
    const soon = await this.issue({ expiry: new Date(Date.now() + 60_000).toISOString() });
    await this.finalize(soon);
    const revoked = await this.issue();
    await this.finalize(revoked);
    await this.revoke(revoked, 'The order was entered twice.');
    await this.revoke(await this.issue(), 'It was revoked while it was pending.');
    return [await this.issue({ input_digest: sha256Hex('finalized later') }), await this.issue()];
  }

  /** Fails for every reason that takes a part of the operator's stake. */
  async failForEveryReason(): Promise<void> {
    for (const error_tranche of [
      ...['DATA_LEAKAGE', 'SLA_BREACH', 'LOGIC_DETECTION', 'COMPUTE_TIMEOUT', 'NONE'],
    ]) {
      await this.finalize(await this.issue(), {
        status: 'failure_tombstone',
        terminal_reason: 'The totals do not add up.',
        error_tranche,
      });
    }
  }
}

/** Returns the first receipt of the demonstration with its proof, and the list of keys, as they are now. */
export async function savedReceipt({ ask, url }: Session): Promise<Known['saved']> {
  const receipt = await ask(`GET ${RECEIPTS}/${DEMO_RECEIPT_ID}`, { key: DEMO_API_KEY });
  const proof = await (await fetch(`${url}${RECEIPTS}/${DEMO_RECEIPT_ID}/proof`)).text();
  const keys = await (await fetch(`${url}/api/v1/transparency/keys`)).text();
  return { receipt: { ...receipt }, proof, keys };
}
