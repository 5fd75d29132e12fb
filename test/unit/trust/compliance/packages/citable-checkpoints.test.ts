import { describe, expect, test } from 'bun:test';
import { CitableCheckpoints } from '../../../../../src/trust/compliance/packages/citable-checkpoints.ts';
import type { PublishedCheckpoint } from '../../../../../src/trust/log/checkpoints/checkpoints.ts';
import { Publications } from '../../../../../src/trust/log/checkpoints/publications.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const START = Date.parse('2026-11-21T12:00:00.000Z');

/** A log of each name with a checkpoint that a test replaces. */
function logs() {
  const time = new VirtualTime(START);
  const publications = new Publications();
  let newest: PublishedCheckpoint;
  const publish = (size: number): void => {
    newest = {
      checkpointSeq: size,
      rootHash: new Uint8Array(32),
      ownNote: '',
      cosignatures: [],
      json: '',
      etag: '',
      response: {
        checkpoint_id: '',
        origin: '',
        tree_size: size,
        root_hash: '',
        from_index: 0,
        to_index: size,
        receipt_count: size,
        issued_at: new Date(time.now()).toISOString(),
        previous_checkpoint_id: null,
        kid: '',
        signature: '',
        note: '',
      },
    };
    publications.record();
  };
  publish(1);
  const citable = new CitableCheckpoints({ publications, latest: () => newest }, time);
  const chosen = async (changedAt: number | null, receipts = 0): Promise<number> => {
    const subject = {
      changedAt: changedAt === null ? null : new Date(changedAt).toISOString(),
      sizesNeeded: { receipts },
    };
    return (await citable.choose(subject)).receipts.checkpointSeq;
  };
  return { time, publish, chosen, citable };
}

describe('the checkpoints that packages cite', () => {
  test('stay the same for a minute while the subject has no newer entry', async () => {
    const { time, publish, chosen } = logs();
    expect(await chosen(null)).toBe(1);
    for (let size = 2; size < 60; size++) {
      time.jump(1000);
      publish(size);
      expect(await chosen(START - 60_000)).toBe(1);
    }
    time.jump(2000);
    expect(await chosen(START - 60_000)).toBe(59);
  });

  test('are the newest ones for a subject with newer entries', async () => {
    const { time, publish, chosen } = logs();
    expect(await chosen(null)).toBe(1);
    time.jump(1000);
    publish(2);
    expect(await chosen(time.now())).toBe(2);
  });

  test('are awaited until they contain the newest entry of the subject', async () => {
    const { time, publish, chosen } = logs();
    const waiting = chosen(time.now(), 5);
    publish(5);
    expect(await waiting).toBe(5);
  });

  test('are not awaited for longer than two seconds', async () => {
    const { time, chosen } = logs();
    const start = performance.now();
    expect(await chosen(time.now(), 5)).toBe(1);
    expect(performance.now() - start).toBeGreaterThan(1900);
  });

  test('are chosen anew when the clock goes back', async () => {
    const { time, publish, chosen, citable } = logs();
    expect(await chosen(null)).toBe(1);
    publish(2);
    time.jump(-5000);
    expect(await chosen(null)).toBe(2);
    expect(citable.newestSizes().evidence).toBe(2);
  });
});
