import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { CompliancePackage } from '../../../../src/proof/package/format.ts';
import { receiptOutcome } from '../../../../src/proof/receipt/outcome.ts';
import { isTerminal } from '../../../../src/proof/receipt/receipt.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { wrongCounts } from '../../../support/audit.ts';
import { judgedPackage } from '../../../support/judged-package.ts';
import { ENDINGS, ending } from '../../../support/outcomes.ts';
import { publishCheckpoints } from '../../../support/published.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

let app: TrustApp;
let time: VirtualTime;
beforeAll(async () => {
  time = new VirtualTime(Date.parse('2026-05-01T06:00:00.000Z'));
  app = await openTrustApp({}, time);
});
afterAll(() => app.close());

/** Issues and finalizes a receipt for each body. */
async function finalizeEach(commitment: string, bodies: readonly object[]): Promise<void> {
  for (const body of bodies) {
    const issued = await app.own.issue({ agent_id: commitment });
    const { status } = await app.own.finalize(issued.body.receipt_id, body);
    expect(status).toBe(200);
  }
  await publishCheckpoints(app);
}

/** Returns the SOC 2 package of an agent, by its controls. */
async function soc2Of(commitment: string) {
  const { body } = await app.anyone.get(`/api/v1/compliance/packages/${commitment}?framework=SOC2_TYPE2`);
  const { read, verdict } = await judgedPackage(app, JSON.stringify(body));
  if (read === null) throw new Error(JSON.stringify(body));
  expect(verdict).toBe('valid');
  const control = (id: string) => read.controls.find((one) => one.id === id);
  return { read, control };
}

const incidentsOf = ({ reference_sets }: CompliancePackage): number | undefined =>
  reference_sets.find(({ name }) => name === 'incidents')?.count;

describe('the package of an agent with one success and a receipt that ended', () => {
  test.each(ENDINGS)('with %s and tranche %s counts it as its credential does', async (status, tranche) => {
    const { commitment } = await enrolledAgent(app);
    await finalizeEach(commitment, [ending('success'), ending(status, tranche)]);
    const outcome = receiptOutcome(status, tranche);
    const failed = outcome === 'failure' ? 1 : 0;
    const { body: credential } = await app.anyone.get(`/api/v1/credentials/${commitment}`);
    expect(credential.credentialSubject).toMatchObject({
      totals: { failure_count: failed },
      sample_size: outcome === 'neither' ? 1 : 2,
    });
    const counts = {
      receipts: 2,
      receipts_success: status === 'success' ? 2 : 1,
      receipts_refused: status === 'refusal' ? 1 : 0,
      receipts_null: status === 'null' ? 1 : 0,
      receipts_terminated: isTerminal(status) ? 1 : 0,
      receipts_failed: failed,
    };
    // On the day of the receipts, whose end the period does not have, and two days later, when that day is a
    // whole one.
    for (const days of [0, 2]) {
      time.advance(days * 24 * 3600_000);
      const { read, control } = await soc2Of(commitment);
      // Two receipts cover no period.
      expect(control('PI1.3')).toMatchObject({ counts, status: 'partial' });
      expect(control('CC7.3')).toMatchObject({
        counts: { incidents: failed, responses: 0, receipts_failed: failed },
        // A failure that nothing answered, not even a cent of the stake, shows no response.
        status: 'not_assessed',
      });
      expect(control('A1.1')?.counts).toMatchObject({
        receipts: 2,
        receipts_timed_out: status === 'timeout' || tranche === 'COMPUTE_TIMEOUT' ? 1 : 0,
      });
      expect(incidentsOf(read)).toBe(failed);
    }
  });

  test('has all of them as incidents if three tombstones without an error tranche follow', async () => {
    const { commitment } = await enrolledAgent(app);
    const tombstone = ending('failure_tombstone');
    await finalizeEach(commitment, [ending('success'), tombstone, tombstone, tombstone]);
    const { read, control } = await soc2Of(commitment);
    expect(control('PI1.3')).toMatchObject({ counts: { receipts_failed: 3 }, status: 'partial' });
    expect(incidentsOf(read)).toBe(3);
  });

  test('leaves the counts as fsck computes them from the signed versions', async () => {
    expect(await app.service.trust.store.read(wrongCounts)).toEqual([]);
  });
});
