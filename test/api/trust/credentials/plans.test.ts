import { expect, test } from 'bun:test';
import {
  newestListOf,
  revokedEntries,
  statusListBy,
} from '../../../../src/trust/credentials/status-store.ts';
import { credentialById, newestCredentialOf, sizesNeeded } from '../../../../src/trust/credentials/store.ts';
import { sqlPlan } from '../../../support/sql-plan.ts';
import { openTrustApp } from '../../../support/trust-app.ts';

test('every query of credentials reads a range of an index, and none scans or sorts', async () => {
  const app = await openTrustApp();
  const plans = await app.service.trust.store.read((snapshot) =>
    sqlPlan(snapshot, async (asked) => {
      await newestCredentialOf(asked, 1);
      await credentialById(asked, '00'.repeat(16));
      await sizesNeeded(asked, 1, { evidence: 0, receipts: -1 });
      await statusListBy(asked, 1);
      await newestListOf(asked, 1);
      await revokedEntries(asked, { listSeq: 1, from: 0, to: 8192 });
    }),
  );
  expect(plans.filter((step) => /TEMP B-TREE/.test(step))).toEqual([]);
  expect(plans.filter((step) => step.startsWith('SCAN'))).toEqual([]);
  for (const found of [
    'credential USING INDEX credential_by_agent (agent_seq=?)',
    'evidence USING COVERING INDEX evidence_by_agent (agent_seq=?)',
    'receipt_leaf USING INTEGER PRIMARY KEY (rowid>?)',
    'agent_receipt USING INTEGER PRIMARY KEY (rowid=?)',
    'list_seq=? AND list_index>? AND list_index<?',
    'status_list USING INDEX status_list_by_key (key_seq=?)',
  ])
    expect(plans.join('\n')).toContain(found);
  await app.close();
});
