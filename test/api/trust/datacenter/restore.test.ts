import { afterEach, beforeEach, expect, test } from 'bun:test';
import { audited } from '../../../support/audit.ts';
import { BackedUpDirectory } from '../../../support/backed-up-directory.ts';
import { ingested, TELEMETRY, telemetryOf } from '../../../support/telemetry.ts';

let directory: BackedUpDirectory;

beforeEach(() => {
  directory = new BackedUpDirectory();
});
afterEach(() => directory.dispose());

test('telemetry that a restored backup lacks is sent again, counts once, and the log stays what was published', async () => {
  const kept = await directory.served((app) => ingested(app.own, telemetryOf(0)));
  directory.backUp();
  const lost = await directory.served((app) => ingested(app.own, telemetryOf(1)));
  expect((await directory.recovered()).receipts.recovered).toBe(1);
  await directory.served(async (app) => {
    const again = await app.own.post(TELEMETRY, telemetryOf(0));
    expect([again.status, again.body]).toEqual([200, { ...kept, duplicate: true }]);
    const { evidence_id, counts_energy, payload_digest } = await ingested(app.own, telemetryOf(1));
    expect([counts_energy, payload_digest]).toEqual([true, lost.payload_digest]);
    expect(evidence_id).not.toBe(lost.evidence_id);
    await app.service.trust.log.publisher.publish();
    const { body } = await app.anyone.get('/api/v1/datacenter/receipts');
    const indexes = Object(body.receipts).map(
      ({ inclusion_path }: { inclusion_path: { leaf_index: number } }) => [inclusion_path.leaf_index],
    );
    expect(indexes).toEqual([[2], [0]]);
  });
  expect((await audited(directory.path)).reported).toEqual([]);
});
