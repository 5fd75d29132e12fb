import { timestamp } from '../../src/platform/clock.ts';
import { sha256Hex } from '../../src/platform/crypto.ts';
import { hexToBytes } from '../../src/proof/hex.ts';
import { countEvidenceIn } from '../../src/trust/reputation/count.ts';
import type { enrolledAgent } from './agent.ts';
import type { TrustApp } from './trust-app.ts';

/** An agent's first item of evidence, as it is stored, with a hash of the test's choice. It verifies by nothing. */
export async function anchored(
  { service: { trust } }: TrustApp,
  agent: Awaited<ReturnType<typeof enrolledAgent>>['agent'],
  eventHash: string,
): Promise<void> {
  const at = timestamp(trust.clock);
  await trust.store.write((tx) => {
    const { sqlite } = tx.connection;
    const { lastInsertRowid } = sqlite.run(
      `INSERT INTO evidence VALUES (NULL, ?, 1, 'github_push_webhook', ?, ?, NULL, x'', zeroblob(64), 'digest', 'success', NULL, ?)`,
      [agent.agentSeq, hexToBytes(sha256Hex('payload')), hexToBytes(eventHash), at],
    );
    const mark = Number.parseInt(eventHash.slice(0, 12), 16);
    sqlite.run('INSERT INTO evidence_mark VALUES (?, ?, ?)', [agent.agentSeq, mark, lastInsertRowid]);
    countEvidenceIn(tx, trust, agent, { eventHash, outcome: 'success', artifacts: 1, at });
  });
}
