import { sha256Hex } from '../../src/platform/crypto/crypto.ts';
import type { Transaction } from '../../src/platform/store/transaction.ts';
import { findAgentIn } from '../../src/trust/agents/agents.ts';
import { compress } from '../../src/trust/evidence/compression.ts';
import { logItemIn } from '../../src/trust/evidence/log/leaves.ts';
import { chainHeadIn, countEvidenceIn, type Outcome } from '../../src/trust/evidence/reputation/count.ts';
import type { EmittedEvent } from '../../src/trust/webhooks/events.ts';
import { PAYLOADS } from './evidence.ts';
import type { TrustApp } from './trust-app.ts';

/**
 * Stores evidence of an agent's work directly, without the API: one item for each outcome.
 * @param attested whether it counts as if the platform had sent it
 */
export async function doneWork(
  app: TrustApp,
  commitment: string,
  outcomes: readonly Outcome[],
  { attested = true }: { attested?: boolean } = {},
): Promise<void> {
  const { store } = app.service.trust;
  await Promise.all(
    outcomes.map((outcome) => store.writeAsService((tx) => doneIn(tx, app, commitment, outcome, attested))),
  );
}

async function doneIn(
  tx: Transaction,
  { service }: TrustApp,
  commitment: string,
  outcome: Outcome,
  attested: boolean,
): Promise<void> {
  const { trust } = service;
  const agent = await findAgentIn(tx, commitment);
  if (agent === null) throw new Error('no such agent');
  const { agentSeq } = agent;
  const { length, eventHash: before } = await chainHeadIn(tx, agentSeq);
  const eventHash = sha256Hex(`${commitment} ${length}`);
  const at = new Date(trust.clock.now()).toISOString();
  const item = {
    agentSeq,
    position: length + 1,
    sourceType: 'compliance_report',
    payloadDigest: sha256Hex(eventHash),
    eventHash,
    prevEventHash: before,
    payload: compress(JSON.stringify(PAYLOADS.compliance_report())),
    signature: '00'.repeat(64),
    reading: 'digest',
    outcome,
    operatorSeq: 1,
    createdAt: at,
  } as const;
  const evidenceSeq = await logItemIn(tx, trust.log.open.evidence, commitment, item, []);
  const counted = { evidenceSeq, eventHash, outcome, artifacts: 1, at, attested, repeated: false };
  await countEvidenceIn(tx, trust, agent, counted);
}

/** Returns an outcome repeated `count` times. */
export function times(count: number, outcome: Outcome): Outcome[] {
  return Array.from({ length: count }, () => outcome);
}

/** Returns a list of all further events whose names begin with `prefix`. It grows as they are emitted. */
export function emittedEvents({ service }: TrustApp, prefix: string): EmittedEvent[] {
  const events: EmittedEvent[] = [];
  service.trust.events.listen((event) => {
    if (event.event.startsWith(prefix)) events.push(event);
  });
  return events;
}
