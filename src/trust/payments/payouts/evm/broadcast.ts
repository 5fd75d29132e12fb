import { answersOf, firstErrorOf, valuesOf } from './chain/answers.ts';
import type { Chain } from './chain/chain.ts';
import { RpcError } from './chain/json-rpc.ts';
import { GRACE_MS, type Node } from './chain/shared-chain.ts';
import type { Attempt } from './follow.ts';

/** The result of a broadcast. It proves nothing: only blocks show whether a transaction happened. */
export type Broadcast =
  | { is: 'sent' }
  | { is: 'too-few-coins' }
  | { is: 'underpriced' }
  | { is: 'refused'; reason: string };

/**
 * Sends a stored transaction to all nodes. A repetition is harmless.
 * @returns `sent` if any node took it, else what the first said
 * @throws RpcError if no node responded
 */
export async function broadcastToAll(
  nodes: readonly Node[],
  attempt: Pick<Attempt, 'raw'>,
): Promise<Broadcast> {
  const answers = await answersOf(
    nodes.map(({ chain }) => broadcast(chain, attempt)),
    (some) => valuesOf(some).some(({ is }) => is === 'sent'),
    GRACE_MS,
  );
  const results = valuesOf(answers);
  const result = results.find(({ is }) => is === 'sent') ?? results[0];
  if (result !== undefined) return result;
  throw firstErrorOf(answers)?.error ?? new RpcError('No node of the chain responded.', 'unreachable');
}

/**
 * Sends a stored transaction to a node. A repetition is harmless.
 * @throws RpcError if the node did not respond
 */
export async function broadcast(
  chain: Pick<Chain, 'send'>,
  { raw }: Pick<Attempt, 'raw'>,
): Promise<Broadcast> {
  try {
    await chain.send(raw);
    return { is: 'sent' };
  } catch (error) {
    if (!(error instanceof RpcError) || error.kind !== 'refused') throw error;
    return classified(error.reasonText ?? 'no reason');
  }
}

/** Classifies an error by its text: nodes have no codes for these errors. */
function classified(reason: string): Broadcast {
  // The node has it, or a block has it.
  if (/already (?:known|imported|exists?)|known transaction|nonce (?:is )?too low|alreadyknown/i.test(reason))
    return { is: 'sent' };
  if (/insufficient (?:funds|balance)|doesn't have enough funds|upfront cost/i.test(reason))
    return { is: 'too-few-coins' };
  if (/underpriced|too low to (?:replace|compete)|fee(?:s)? (?:is |are )?too low|maxFeePerGas/i.test(reason))
    return { is: 'underpriced' };
  return { is: 'refused', reason };
}
