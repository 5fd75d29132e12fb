import { type NodeProblem, RailUnavailable } from '../rail.ts';
import { answersOf, valuesOf } from './chain/answers.ts';
import type { Head } from './chain/chain.ts';
import { RpcError } from './chain/json-rpc.ts';
import {
  largestReached,
  majorityOf,
  type Node,
  type SharedChain,
  sharedChain,
} from './chain/shared-chain.ts';
import { RailProblem } from './errors.ts';
import { type View, viewOf } from './follow.ts';
import type { NodeReports } from './node-reports.ts';

/** The time that a node may take longer than more than half before a round goes on without it. */
const LOOK_GRACE_MS = 3000;

/** The chain as one node shows it in a round. */
export interface NodeView extends View {
  number: number;
}

/** The chain as a round sees it by its nodes, of which more than half of the configured ones are usable. */
export interface ChainView {
  chain: SharedChain;
  /** The usable nodes. */
  views: readonly NodeView[];
  /** How many nodes are configured. With one, no failure is final by itself. */
  size: number;
  /** How many must agree. */
  needed: number;
  reports: NodeReports;
  /** Returns the next nonce of an account in the newest block, as more than half of the nodes know it. */
  latestNonce(address: string): Promise<number>;
}

/**
 * Returns the chain as its nodes show it now.
 * @param nodes all that are configured
 * @param check rejects for a node that must not be used
 * @throws RailProblem, RpcError if not more than half can be used
 */
export async function lookAt(
  nodes: readonly Node[],
  reports: NodeReports,
  confirmations: number,
  check: (node: Node) => Promise<void>,
): Promise<ChainView> {
  const needed = majorityOf(nodes.length);
  const answers = await answersOf(
    nodes.map(async (node): Promise<NodeView> => {
      await check(node);
      return { ...(await viewOf(node.chain, confirmations)), number: node.number };
    }),
    (some) => valuesOf(some).length >= needed,
    LOOK_GRACE_MS,
  );
  const views = valuesOf(answers);
  const errors = answers.map((answer) => (answer === null ? LATE : 'error' in answer ? answer.error : null));
  for (const error of errors) if (error !== null && !(error instanceof RailUnavailable)) throw error;
  const height =
    views.length < needed
      ? null
      : largestReached(
          views.map(({ head }) => head.number),
          needed,
        );
  for (const [index, { number }] of nodes.entries()) {
    const view = views.find((one) => one.number === number);
    reports.looked(number, view === undefined ? problemOf(errors[index]) : positionOf(view, height));
  }
  if (views.length < needed)
    throw tooFew(
      views.length,
      nodes.length,
      errors.find((error) => error !== null),
    );
  const usable = nodes.filter(({ number }) => views.some((view) => view.number === number));
  return {
    chain: sharedChain(usable, needed),
    views,
    size: nodes.length,
    needed,
    reports,
    async latestNonce(address) {
      const nonces = await answersOf(
        views.map((view) => view.latestNonce(address)),
        (some) => valuesOf(some).length >= needed,
        LOOK_GRACE_MS,
      );
      const known = valuesOf(nonces);
      if (known.length >= needed) return largestReached(known, needed);
      throw new RpcError('Too few nodes of the chain name the nonce of an account.', 'unreachable');
    },
  };
}

const LATE = new RpcError('A node of the chain did not respond in time.', 'unreachable');

function problemOf(error: unknown): NodeProblem {
  if (error instanceof RpcError) return error.kind === 'unreachable' ? 'unreachable' : 'invalid';
  return error instanceof RailProblem && error.reason === 'token' ? 'token' : 'chain';
}

/** Compares the newest block of a node with the one that more than half have reached. */
function positionOf({ head, confirmations }: { head: Head; confirmations: number }, height: number | null) {
  if (height === null || Math.abs(head.number - height) <= confirmations) return null;
  return head.number < height ? 'behind' : 'ahead';
}

function tooFew(usable: number, size: number, error: unknown): unknown {
  if (size === 1 || !(error instanceof RailUnavailable)) return error;
  return new RailUnavailable(
    error.reason,
    `${usable} of ${size} nodes of the chain can be used, and ${majorityOf(size)} must agree. ${error.message}`,
  );
}
