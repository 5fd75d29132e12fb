import { type Answer, answersOf, firstErrorOf, valuesOf } from './chain/answers.ts';
import { RpcError } from './chain/json-rpc.ts';
import { GRACE_MS } from './chain/shared-chain.ts';
import type { ChainView, NodeView } from './chain-view.ts';
import { type Progress, progressOf, type Slot } from './follow.ts';

/** What a node says about a slot. */
export interface Statement {
  view: NodeView;
  progress: Progress;
}

/**
 * What more than half of the nodes say about a slot. `disputed`: nodes contradict each other about its end,
 * and neither side is more than half.
 */
export type Agreed = Progress | { is: 'disputed'; said: string };

type End = Extract<Progress, { is: 'final' | 'lost' }>;

/** Returns what each usable node says about a slot. @throws RpcError if too few respond */
export async function statementsOf(
  { views, needed }: Pick<ChainView, 'views' | 'needed'>,
  slot: Slot,
): Promise<Statement[]> {
  const answers: readonly Answer<Statement>[] = await answersOf(
    views.map(async (view) => ({ view, progress: await progressOf(view, slot) })),
    (some) => majority(valuesOf(some), needed) !== null,
    GRACE_MS,
  );
  const statements = valuesOf(answers);
  if (statements.length >= needed) return statements;
  throw firstErrorOf(answers)?.error ?? new RpcError('Too few nodes responded.', 'unreachable');
}

/** Returns the state of a slot by more than half of the nodes, and reports who differs. @throws RpcError */
export async function agreedProgress(
  view: Pick<ChainView, 'views' | 'needed' | 'reports'>,
  slot: Slot,
): Promise<Agreed> {
  return agreementOf(view, await statementsOf(view, slot));
}

/**
 * Returns what more than half of the configured nodes say. A node that is behind contradicts nobody. Without
 * such a majority the slot waits: `in-block`, or `unclear` if a node lacks the old states to say more.
 */
function agreementOf(
  { needed, reports }: Pick<ChainView, 'needed' | 'reports'>,
  statements: readonly Statement[],
): Agreed {
  const agreed = majority(statements, needed);
  const contradictions = statements.flatMap((one) =>
    statements.filter((other) => contradicts(one, other)).map((other) => [one, other] as const),
  );
  for (const statement of statements) {
    if (agreed !== null && isEnd(agreed) && keyOf(statement.progress) === keyOf(agreed))
      reports.compared(statement.view.number, true);
  }
  for (const statement of contradictions.flat()) {
    if (agreed === null || keyOf(statement.progress) !== keyOf(agreed))
      reports.compared(statement.view.number, false);
  }
  if (agreed !== null) return agreed;
  if (contradictions.length > 0) return { is: 'disputed', said: statements.map(sentenceOf).join('; ') };
  return { is: statements.some(({ progress }) => progress.is === 'unclear') ? 'unclear' : 'in-block' };
}

function majority(statements: readonly Statement[], needed: number): Progress | null {
  const agreed = statements.find(
    ({ progress }) =>
      statements.filter((other) => keyOf(other.progress) === keyOf(progress)).length >= needed,
  );
  return agreed?.progress ?? null;
}

function isEnd(progress: Progress): progress is End {
  return progress.is === 'final' || progress.is === 'lost';
}

/** Returns text that two statements share exactly if they say the same. */
function keyOf(progress: Progress): string {
  if (progress.is === 'lost') return JSON.stringify([progress.is, progress.to]);
  if (progress.is !== 'final') return progress.is;
  return JSON.stringify([progress.is, progress.attempt.hash, progress.receipt]);
}

/** Returns whether the first says that a slot ended, and the second, which should know it, says otherwise. */
function contradicts(one: Statement, other: Statement): boolean {
  const { progress } = one;
  if (!isEnd(progress) || other.progress.is === 'unclear' || keyOf(progress) === keyOf(other.progress))
    return false;
  if (isEnd(other.progress)) return true;
  const { head, confirmations } = one.view;
  const block = progress.is === 'final' ? progress.receipt.blockNumber + confirmations - 1 : head.number;
  return other.view.head.number >= block;
}

function sentenceOf({ view, progress }: Statement): string {
  const node = `node ${view.number} says that`;
  if (progress.is === 'lost') return `${node} ${progress.to} used its nonce`;
  if (progress.is === 'final') {
    const { attempt, receipt } = progress;
    const how = receipt.isSuccess ? 'was executed' : 'was reverted';
    return `${node} ${attempt.hash} ${how} in block ${receipt.blockNumber}`;
  }
  return progress.is === 'unclear' ? `${node} it does not know` : `${node} no final block has it`;
}
