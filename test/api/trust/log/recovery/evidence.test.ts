import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import { eventHash } from '../../../../../src/proof/evidence/event.ts';
import { type EvidenceEntry, evidenceEntryText } from '../../../../../src/proof/log/log-entry.ts';
import { lostItemByPayload } from '../../../../../src/trust/evidence/log/leaf-store.ts';
import { leafHashOf } from '../../../../../src/trust/log/tree/append.ts';
import { enrolledAgent, newAgentKey } from '../../../../support/agent.ts';
import { audited } from '../../../../support/audit.ts';
import { BackedUpDirectory } from '../../../../support/backed-up-directory.ts';
import { evidencePath, PAYLOADS, signedEvidence } from '../../../../support/evidence.ts';
import { sqlPlan } from '../../../../support/sql-plan.ts';
import type { TrustApp } from '../../../../support/trust-app.ts';

let directory: BackedUpDirectory;

beforeEach(() => {
  directory = new BackedUpDirectory();
});
afterEach(() => directory.dispose());

const publish = (app: TrustApp) => app.service.trust.log.publisher.publish();

type Key = ReturnType<typeof newAgentKey>;

/** Anchors the nth commit of an agent. @returns status and body */
function anchor(app: TrustApp, agent: Key & { commitment: string }, n: string) {
  const item = signedEvidence(agent, 'github_commit_payload', PAYLOADS.github_commit_payload(n));
  return app.own.post(evidencePath(agent.commitment), item);
}

async function problems(): Promise<string[]> {
  return (await audited(directory.path)).reported.map(({ sentence }) => sentence);
}

describe('evidence that a restored backup lacks', () => {
  test('keeps its place in the chain and in the log, and is complete again when it is sent again', async () => {
    const key = newAgentKey();
    const agent = await directory.served(async (app) => {
      const enrolled = await enrolledAgent(app, { key });
      expect((await anchor(app, enrolled, 'a')).status).toBe(201);
      await publish(app);
      return enrolled;
    });
    directory.backUp();
    const [second, third] = await directory.served(async (app) => [
      (await anchor(app, agent, 'b')).body,
      (await anchor(app, agent, 'c')).body,
    ]);
    const hashes = [second?.event_commitment_hash, third?.event_commitment_hash].map(String);
    expect((await directory.recovered()).evidence).toEqual({
      tree_size: 3,
      recovered: 2,
      not_recovered: hashes.map(
        (hash) => `the payload and the signature of evidence ${hash} of agent ${agent.commitment}`,
      ),
    });
    expect(await problems()).toEqual([]);
    await directory.served(async (app) => {
      // What is new follows what was lost.
      const fourth = (await anchor(app, agent, 'd')).body;
      expect([fourth.index, fourth.prev_event_hash]).toEqual([3, third?.event_commitment_hash]);
      await publish(app);
      for (const hash of hashes) {
        const proof = await app.fetch(
          new Request(`http://localhost${evidencePath(agent.commitment)}/${hash}/proof`),
        );
        expect([hash, proof.status]).toEqual([hash, 200]);
      }
      const listed = async () => {
        const { body } = await app.own.get(evidencePath(agent.commitment));
        return Object(body.evidence).map(({ index }: { index: number }) => index);
      };
      expect(await listed()).toEqual([3, 0]);
      // The second again, twice: it is restored once, as it was.
      for (const _ of [1, 2]) {
        const { status, body } = await anchor(app, agent, 'b');
        expect([status, body]).toEqual([200, { ...second, duplicate: true }]);
      }
      expect(await listed()).toEqual([3, 1, 0]);
      const { body } = await app.anyone.get(`/api/v1/profiles/${agent.commitment}`);
      expect(Object(body.totals).evidence_count).toBe(3);
    });
    expect(await problems()).toEqual([]);
    await directory.served(async (app) => {
      expect((await anchor(app, agent, 'c')).body).toEqual({ ...third, duplicate: true });
      expect((await anchor(app, agent, 'e')).body.index).toBe(4);
    });
    expect(await problems()).toEqual([]);
  });

  test('of an agent that the backup lacks too waits for the agent, whose chain goes on where it was', async () => {
    const key = newAgentKey();
    await directory.served(publish);
    directory.backUp();
    const { commitment, head } = await directory.served(async (app) => {
      const agent = await enrolledAgent(app, { key });
      await anchor(app, agent, 'a');
      return { ...agent, head: (await anchor(app, agent, 'b')).body.event_commitment_hash };
    });
    const { evidence } = await directory.recovered();
    expect(evidence.not_recovered).toEqual([
      expect.stringContaining(`of agent ${commitment}, and the agent`),
      expect.stringContaining(`evidence ${head} of agent ${commitment}, and the agent`),
    ]);
    expect(await problems()).toEqual([]);
    await directory.served(async (app) => {
      const again = await enrolledAgent(app, { key });
      expect(again.commitment).toBe(commitment);
      const { body } = await anchor(app, again, 'c');
      expect([body.index, body.prev_event_hash]).toEqual([2, head]);
      expect((await anchor(app, again, 'a')).body).toMatchObject({ index: 0, duplicate: true });
    });
    expect(await problems()).toEqual([]);
  });

  /**
   * Signs entries of an agent's evidence that no item has, as somebody with the log's key and the database
   * could.
   */
  function forge(entries: readonly EvidenceEntry[]): void {
    const database = new Database(join(directory.path, 'trust.db'));
    for (const entry of entries) {
      const text = evidenceEntryText(entry);
      database.run('INSERT INTO evidence_leaf (leaf_hash, entry) VALUES (?, ?)', [leafHashOf(text), text]);
    }
    database.close();
  }

  const forged = (
    agent: string,
    index: number,
    prev: string | null,
    changes: Partial<EvidenceEntry> = {},
  ) => {
    const members = {
      subject_commitment: agent,
      source_type: 'github_commit_payload',
      payload_digest: 'd'.repeat(64),
      prev_event_hash: prev,
    };
    const event_commitment_hash = eventHash(nativePrimitives, members);
    return { ...members, index, event_commitment_hash, anchored_at: '2026-06-01T12:00:00.000Z', ...changes };
  };

  type Forgery = (agent: string, head: string) => EvidenceEntry[];
  const OTHER = 'e'.repeat(64);
  test.each<[string, Forgery, RegExp]>([
    [
      'of which one is missing',
      (agent, head) => [forged(agent, 2, head)],
      /entry 1 .* follow the last of the 1/,
    ],
    ['that follows another', (agent) => [forged(agent, 1, OTHER)], /entry 1 .* follow the last of the 1/],
    [
      'with the position of one that exists',
      (agent) => [forged(agent, 0, null)],
      /entry 1 .* follow the last of the 1/,
    ],
    ['whose chain does not begin', () => [forged(OTHER, 1, OTHER)], /entry 1 .* follow the last of the 0/],
    [
      'that is there twice',
      () => [forged(OTHER, 0, null), forged(OTHER, 0, null)],
      /entry 2 .* follow the last of the 1/,
    ],
    [
      'whose hash is of something else',
      (agent, head) => [forged(agent, 1, head, { event_commitment_hash: OTHER })],
      /entry 1 .* is not the digest of its members/,
    ],
  ])(
    'is not recovered from a copy with an item %s, and the directory stays as it was',
    async (_name, forgery, reason) => {
      const { commitment, head } = await directory.served(async (app) => {
        const agent = await enrolledAgent(app);
        const { body } = await anchor(app, agent, 'a');
        await publish(app);
        return { ...agent, head: String(body.event_commitment_hash) };
      });
      directory.backUp();
      forge(forgery(commitment, head));
      await expect(directory.recovered()).rejects.toThrow(reason);
      const database = new Database(join(directory.path, 'trust.db'), { readonly: true });
      expect(database.query('SELECT count(*) FROM evidence_leaf').values()).toEqual([[1]]);
      database.close();
    },
  );

  test('is found without reading the lost items of other agents, who may have signed the same payload', async () => {
    const steps = await directory.served((app) =>
      app.service.trust.store.read((snapshot) =>
        sqlPlan(snapshot, (asked) =>
          lostItemByPayload(asked, {
            subjectCommitment: 'a'.repeat(64),
            payloadDigest: 'b'.repeat(64),
            sourceType: 'github_commit_payload',
          }),
        ),
      ),
    );
    expect(steps).toEqual([
      'SEARCH lost_evidence USING INDEX lost_evidence_by_payload (payload_digest=? AND subject_commitment=?)',
    ]);
  });

  test('is the end of the chain that fsck compares with the counters, which a passport signs', async () => {
    await directory.served(publish);
    directory.backUp();
    const key = newAgentKey();
    const head = await directory.served(async (app) => {
      const agent = await enrolledAgent(app, { key });
      await anchor(app, agent, 'a');
      return String((await anchor(app, agent, 'b')).body.event_commitment_hash);
    });
    await directory.recovered();
    await directory.served((app) => enrolledAgent(app, { key }));
    expect(await problems()).toEqual([]);
    const database = new Database(join(directory.path, 'trust.db'));
    database.run('UPDATE agent_standing SET last_event_hash = zeroblob(32)');
    database.close();
    expect((await audited(directory.path)).reported).toMatchObject([
      {
        table: 'agent_standing',
        what: 'last_event_hash is not the event_hash of the last item',
        expected: head,
        found: '0'.repeat(64),
      },
    ]);
  });
});
