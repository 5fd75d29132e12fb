import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import { signedObjectDigest } from '../../../../../src/proof/keys/signed-object.ts';
import { mapLogs } from '../../../../../src/proof/log/log-names.ts';
import { assessmentBuilder } from '../../../../../src/trust/compliance/assessment/builder.ts';
import { buildPackage } from '../../../../../src/trust/compliance/packages/build.ts';
import type { PackageBuilder } from '../../../../../src/trust/compliance/packages/builder.ts';
import { LeafHashes } from '../../../../../src/trust/compliance/packages/leaf-hashes.ts';
import { clusterBuilder } from '../../../../../src/trust/datacenter/packages/builder.ts';
import { itemLeavesOf } from '../../../../../src/trust/evidence/log/leaves.ts';
import { LogDamage } from '../../../../../src/trust/log/damage.ts';
import { keyLeavesOf } from '../../../../../src/trust/log/keys/log/leaves.ts';
import { hashesOfLeaves } from '../../../../../src/trust/log/tree/tree.ts';
import { accountLeavesOf } from '../../../../../src/trust/receipts/linked/log/leaves.ts';
import { versionLeavesOf } from '../../../../../src/trust/receipts/log/leaves.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { DIGEST } from '../../../../support/client.ts';
import { anchored } from '../../../../support/evidence.ts';
import { publishCheckpoints } from '../../../../support/published.ts';
import { ingested, telemetryOf } from '../../../../support/telemetry.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

/** The begin of the telemetry. */
const PERIOD = '?from=2026-05-01T00:00:00Z';

let app: TrustApp;
let commitment: string;
beforeAll(async () => {
  app = await openTrustApp();
  const agent = await enrolledAgent(app);
  await anchored(app, agent);
  const { body } = await app.own.issue({ agent_id: agent.commitment });
  await app.own.finalize(body.receipt_id, { status: 'success', output_hash: DIGEST });
  await app.own.revoke(body.receipt_id);
  await ingested(app.own, telemetryOf(0));
  await publishCheckpoints(app);
  commitment = agent.commitment;
});
afterAll(() => app.close());

/** Builds in this process the package that a Worker built, from the same order. @returns its digest */
async function rebuilt(builder: PackageBuilder, subject: string, document: Record<string, never>) {
  const { log, store } = app.service.trust;
  const logs = mapLogs((name) => {
    const { tree_size: treeSize, root_hash: rootHash, note } = log.publisher.latest(name).response;
    return { log: log.open[name], treeSize, rootHash, note };
  });
  const built = await store.read((snapshot) =>
    buildPackage(
      snapshot,
      builder,
      {
        kind: builder.kind,
        subject,
        framework: document.framework ?? '',
        period: document.period ?? { from: '', to: '' },
        view: document.view ?? 'public',
        treeSizes: mapLogs((name) => logs[name].treeSize),
        assessors: [],
        packageId: document.package_id ?? '',
        issuer: document.issuer ?? '',
        generatedAt: document.generated_at ?? '',
        logs,
      },
      {
        receipts: (at, from, to) => versionLeavesOf(at, 'receipts', from, to),
        keys: keyLeavesOf,
        revocations: (at, from, to) => versionLeavesOf(at, 'revocations', from, to),
        evidence: itemLeavesOf,
        accounts: accountLeavesOf,
      },
    ),
  );
  return built?.digest;
}

describe('the same order gives the same package in another thread:', () => {
  test.each<[string, PackageBuilder, () => string, string]>([
    ['of an agent', assessmentBuilder, () => commitment, '/api/v1/compliance/packages/'],
    ['of a cluster', clusterBuilder, () => 'hall-1', '/api/v1/datacenter/compliance/packages/'],
  ])('%s', async (_, builder, subjectOf, path) => {
    const { body } = await app.own.get(`${path}${subjectOf()}${PERIOD}`);
    const { sampled_receipts: _receipts, ...signed } = Object(body);
    expect(await rebuilt(builder, subjectOf(), signed)).toBe(signedObjectDigest(nativePrimitives, signed));
  });
});

test.each([0, 2, 100])('hashes of leaves are the same however many are kept: %i', async (most) => {
  const { log, store } = app.service.trust;
  await store.read(async (snapshot) => {
    const kept = new LeafHashes(most);
    for (const indexes of [[1, 2, 4], [0, 2, 3, 4], [4], [], [0, 1, 2, 3, 4]]) {
      const expected = indexes.length === 0 ? [] : await hashesOfLeaves(snapshot, log.open.keys, indexes);
      expect(await kept.of(snapshot, log.open.keys, indexes)).toEqual(expected);
    }
  });
});

test('a leaf that the log lacks is damage, also beside kept ones', async () => {
  const { log, store } = app.service.trust;
  const kept = new LeafHashes();
  const reading = store.read(async (snapshot) => {
    await kept.of(snapshot, log.open.keys, [0, 1]);
    await kept.of(snapshot, log.open.keys, [0, 1, 1_000_000]);
  });
  await expect(reading).rejects.toBeInstanceOf(LogDamage);
});
