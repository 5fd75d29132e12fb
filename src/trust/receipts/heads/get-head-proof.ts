import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { encodeBase64 } from '../../../proof/encoding/base64.ts';
import { hexToBytes } from '../../../proof/encoding/hex.ts';
import { HEAD_PROOF_TYPE } from '../../../proof/ledger/head-proof.ts';
import { isDate } from '../../../proof/log/journal-heads-entry.ts';
import { inclusionPath, verifyInclusion } from '../../../proof/log/merkle.ts';
import { TILE_WIDTH } from '../../../proof/log/tiles.ts';
import { requireAgentIn, seesAll } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import { type JournalKey, journalOfAgent, journalOfPool } from '../../ledger/journal-ends.ts';
import type { ProofCheckpoints } from '../../log/checkpoints/publisher.ts';
import { LogDamage } from '../../log/damage.ts';
import type { TrustLog } from '../../log/lifecycle/open.ts';
import { FIRST_LEAF } from '../../log/logs.ts';
import { inclusionProofOf } from '../../log/proofs/inclusion-proof.ts';
import type { Actor } from '../../operators/auth/actor.ts';
import { accountLeavesOf } from '../linked/log/leaves.ts';
import { hashesIn, hashesOfNode, perfectRoot } from './head-tree.ts';
import { hashOfHead, headIn, saltOf } from './heads.ts';
import { lastDay } from './record-heads.ts';
import type { HeadProofQuery } from './schema.ts';
import { findInTrees, type LinkedTree, tilesAt, treesUpTo } from './store.ts';

/** The parts of the service that proving a head uses. */
export type HeadProofContext = { store: Store; clock: Clock; log: TrustLog };

/** The account of a journal, by its number and by its name. */
interface OwnJournal {
  key: JournalKey;
  account: string;
}

/** The days that are searched in one snapshot: about a millisecond. */
const DAYS = 64;

/**
 * Returns the head that an agent's journal had at the end of a day, with the proof that the log of accounts
 * has it: of the newest day up to `date` whose tree has the agent.
 * @throws ApiError validation_error for a date that does not exist or has not ended; forbidden for the agent
 * of another operator; not_found for an unknown agent, and before its first day
 */
export function getHeadProof(
  context: HeadProofContext,
  principal: Actor,
  commitment: string,
  query: HeadProofQuery,
) {
  return headProofOf(context, query, async (snapshot) => {
    const agent = await requireAgentIn(snapshot, commitment);
    if (!seesAll(principal, agent))
      throw commonErrors.forbidden({
        message:
          'Only the sponsor of the agent, its holder key and admin keys get the heads of its journal. Use one of these keys.',
      });
    return { key: journalOfAgent(agent.agentSeq), account: agent.subjectCommitment };
  });
}

/**
 * Returns the head that the journal of an operator's pool had at the end of a day, like `getHeadProof`.
 * @throws ApiError validation_error, not_found
 */
export function getPoolHeadProof(
  context: HeadProofContext,
  { operatorSeq, operatorId }: { operatorSeq: number; operatorId: string },
  query: HeadProofQuery,
) {
  const journal = { key: journalOfPool(operatorSeq), account: operatorId };
  return headProofOf(context, query, async () => journal);
}

/**
 * Returns the head of a journal like `getHeadProof`.
 * @param journalIn returns the journal, or refuses
 */
async function headProofOf(
  { store, clock, log }: HeadProofContext,
  query: HeadProofQuery,
  journalIn: (snapshot: Snapshot) => Promise<OwnJournal>,
) {
  const newest = lastDay(clock.now());
  const date = query.date ?? newest;
  if (!isDate(date)) throw invalidDate(`is no date. Send one such as ${newest}`);
  const journal = await store.read(journalIn);
  if (date > newest) throw invalidDate(`has not ended. The newest day that has is ${newest} (UTC)`);
  const checkpoints = log.publisher.proofCheckpoints('accounts', true);
  for (let to: string | null = date; to !== null; ) {
    const before: string = to;
    const found = await log.damage.tracked(
      store.read(async (snapshot) => {
        const { trees, lost } = await treesUpTo(snapshot, before, DAYS);
        const proven = await provenHead(snapshot, { log, checkpoints }, trees, journal);
        const next = trees.length < DAYS ? null : dayBefore(trees.at(-1)?.date ?? before);
        return { proven, lost, next };
      }),
    );
    if (found.proven !== null) return found.proven;
    if (found.lost !== null) throw lostTree(found.lost);
    to = found.next;
  }
  throw commonErrors.not_found({
    message: `No tree of journal heads of a day up to ${date} has this account: its journal had no entry then, or the heads of that day are not recorded yet.`,
  });
}

/** Returns the head of a journal in the first of some trees that has it, with its proof; null for none. */
async function provenHead(
  snapshot: Snapshot,
  { log, checkpoints }: { log: TrustLog; checkpoints: ProofCheckpoints },
  trees: readonly LinkedTree[],
  { key, account }: OwnJournal,
) {
  const found = await findInTrees(snapshot, trees, key, ({ firstLeaf, heads }, tree) => {
    const head = headIn(heads, key);
    return head === null ? null : { tree, index: firstLeaf + head.place, ...head };
  });
  if (found === null) return null;
  const { tree, index, entries, head } = found;
  const leaf = { account, entries, head };
  const path = await pathIn(snapshot, tree, index, hashOfHead(tree.saltKey, leaf));
  const logIndex = tree.leafSeq - FIRST_LEAF;
  const [stored] = await accountLeavesOf(snapshot, logIndex, logIndex + 1);
  if (stored === undefined) throw new LogDamage('accounts', `leaf ${logIndex} of accounts is missing`);
  const logged = { index: logIndex, entry: stored.entry };
  const proof = await inclusionProofOf(snapshot, log.open.accounts, logged, checkpoints);
  return {
    type: HEAD_PROOF_TYPE,
    date: tree.date,
    leaf: { ...leaf, salt: saltOf(tree.saltKey, account), v: 1 as const },
    leaf_index: index,
    hashes: path.map(encodeBase64),
    proof,
  };
}

/**
 * Returns the path from a leaf of a tree to its root.
 * @throws LogDamage if it does not lead there
 */
async function pathIn(
  snapshot: Snapshot,
  { treeSeq, date, accounts: size, root }: LinkedTree,
  index: number,
  leaf: Uint8Array,
): Promise<Uint8Array[]> {
  const tiles = new Map<string, { level: number; tileIndex: number; hashes: Uint8Array[] }>();
  const rangeOf = (level: number, node: number) => {
    const { tileLevel, from, width } = hashesOfNode(level, node);
    const tileIndex = Math.floor(from / TILE_WIDTH);
    return { name: `${tileLevel}/${tileIndex}`, level: tileLevel, tileIndex, from: from % TILE_WIDTH, width };
  };
  // Which nodes a path needs depends on the sizes only.
  inclusionPath(nativePrimitives, index, size, (level, node) => {
    const { name, level: tileLevel, tileIndex } = rangeOf(level, node);
    tiles.set(name, { level: tileLevel, tileIndex, hashes: [] });
    return leaf;
  });
  const stored = await tilesAt(snapshot, treeSeq, [...tiles.values()]);
  for (const [at, tile] of [...tiles.values()].entries()) tile.hashes = hashesIn(stored[at] ?? NO_HASHES);
  const damage = new LogDamage(
    'accounts',
    `the tree of the heads of journals of ${date} does not have its root`,
  );
  const path = inclusionPath(nativePrimitives, index, size, (level, node) => {
    const { name, from, width } = rangeOf(level, node);
    const hashes = tiles.get(name)?.hashes.slice(from, from + width) ?? [];
    if (hashes.length < width) throw damage;
    return perfectRoot(hashes);
  });
  if (verifyInclusion(nativePrimitives, { leaf, index, size, path, root: hexToBytes(root) })) return path;
  throw damage;
}

const NO_HASHES = new Uint8Array();

const dayBefore = (date: string): string => lastDay(Date.parse(`${date}T00:00:00.000Z`));

function lostTree(date: string) {
  return commonErrors.not_found({
    message:
      `The tree of the journal heads of ${date} was lost: a backup was restored, and only its leaf was ` +
      `recovered. Nobody can say whether it had this account. Send a date before ${date}.`,
  });
}

function invalidDate(problem: string) {
  return commonErrors.validation_error({ message: `date ${problem}.` });
}
