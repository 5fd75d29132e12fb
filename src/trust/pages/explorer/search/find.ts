import { ApiError } from '../../../../platform/http/errors/errors.ts';
import type { Store } from '../../../../platform/store/store.ts';
import type { Snapshot } from '../../../../platform/store/transaction.ts';
import { isHex } from '../../../../proof/encoding/hex.ts';
import { findAgentIn } from '../../../agents/agents.ts';
import { requireClusterIn } from '../../../datacenter/clusters.ts';
import { evidenceByHashIn, evidenceIndexIn } from '../../../evidence/find-items.ts';
import { readPublicEngagement } from '../../../hires/engagements/get.ts';
import type { TrustLog } from '../../../log/lifecycle/open.ts';
import { operatorById } from '../../../operators/status.ts';
import { getProposal } from '../../../protocols/agora/get-proposal.ts';
import { loggedReceiptIn, receiptExistsIn } from '../../../receipts/find.ts';

/** The parts of the service that the search uses. */
export interface SearchContext {
  store: Store;
  log: TrustLog;
}

/** Something that has the searched value. */
export interface Found {
  /** What it is, with its name. */
  kind: string;
  /** The page that shows it. */
  path: string;
}

/**
 * Finds what has a value, by the whole value: an identifier, a hash or a commitment; or a commit or an event
 * hash together with the commitment of its agent, in any order. What is not public is not found. Each kind
 * costs a look-up in an index.
 * @param words the value, or the two of them
 */
export async function find(context: SearchContext, words: readonly string[]): Promise<Found[]> {
  const [one, two, ...rest] = words;
  if (one === undefined || rest.length > 0) return [];
  if (two !== undefined)
    return (await ofAgent(context, one, two)) ?? (await ofAgent(context, two, one)) ?? [];
  const found = await context.store.read(async (snapshot) => [
    await receipt(snapshot, one),
    ...(await hash(snapshot, context, one.toLowerCase())),
    await operator(snapshot, one),
    await cluster(snapshot, one),
  ]);
  const others = [await agreement(context, one), await engagement(context, one)];
  return [...found, ...others].filter((thing) => thing !== null);
}

async function receipt(snapshot: Snapshot, id: string): Promise<Found | null> {
  if (!(await receiptExistsIn(snapshot, id))) return null;
  return { kind: 'Receipt', path: `/receipts/${id}` };
}

/** Finds what has a hash of 64 hexadecimal characters. */
async function hash(snapshot: Snapshot, { log }: SearchContext, text: string): Promise<(Found | null)[]> {
  if (!isHex(text, 32)) return [];
  const agent = await findAgentIn(snapshot, text);
  const receiptId = await loggedReceiptIn(snapshot, text, (name) => sizeOf(log, name));
  const index = await evidenceIndexIn(snapshot, text);
  return [
    agent === null ? null : { kind: 'Agent', path: `/agents/${text}` },
    receiptId === null ? null : { kind: 'Receipt with this content hash', path: `/receipts/${receiptId}` },
    index === null || index >= sizeOf(log, 'evidence') ? null : evidence(index),
  ];
}

/** Finds an agent's evidence of a commit, or with an event hash; null if the agent does not exist. */
function ofAgent(
  { store, log }: SearchContext,
  commitment: string,
  artifact: string,
): Promise<Found[] | null> {
  return store.read(async (snapshot) => {
    const agent = await findAgentIn(snapshot, commitment.toLowerCase());
    if (agent === null) return null;
    const item = await evidenceByHashIn(snapshot, agent.agentSeq, artifact.toLowerCase());
    const index = item === null ? null : await evidenceIndexIn(snapshot, item.eventHash);
    return index === null || index >= sizeOf(log, 'evidence') ? [] : [evidence(index)];
  });
}

const evidence = (index: number): Found => ({
  kind: 'Evidence of an agent',
  path: `/logs/evidence?index=${index}`,
});

async function operator(snapshot: Snapshot, id: string): Promise<Found | null> {
  if (!id.startsWith('op_') || (await operatorById(snapshot, id)) === null) return null;
  return { kind: 'Operator', path: `/operators/${encodeURIComponent(id)}` };
}

async function cluster(snapshot: Snapshot, id: string): Promise<Found | null> {
  const known = await orNull(requireClusterIn(snapshot, id));
  return known === null ? null : { kind: 'Cluster', path: `/clusters/${encodeURIComponent(id)}` };
}

async function agreement(context: SearchContext, id: string): Promise<Found | null> {
  const known = await orNull(getProposal(context, id));
  return known === null ? null : { kind: 'Agreement', path: `/agreements/${encodeURIComponent(id)}` };
}

/** Finds an engagement by its task_id, which only those know who were told it. */
async function engagement(context: SearchContext, taskId: string): Promise<Found | null> {
  const known = await orNull(readPublicEngagement(context, taskId));
  return known === null ? null : { kind: 'Engagement', path: `/engagements/${encodeURIComponent(taskId)}` };
}

/** The entries of a log that its newest checkpoint covers: others are not public yet. */
function sizeOf({ publisher }: TrustLog, name: 'receipts' | 'revocations' | 'evidence'): number {
  return publisher.latest(name).response.tree_size;
}

/** Returns what a promise has; null if nothing exists. @throws its other errors */
async function orNull<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof ApiError && error.definition.status === 404) return null;
    throw error;
  }
}
