import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { accountOf } from '../../../proof/log/linked-account.ts';
import { NO_RECEIPT } from '../../../proof/log/log-entry.ts';
import { issueTime } from '../../log/clock/dates.ts';
import type { TrustLog } from '../../log/lifecycle/open.ts';
import { type Actor, requireOperator } from '../../operators/auth/actor.ts';
import type { OperatorRow } from '../../operators/status.ts';
import { storeBoundIn } from './log/bound.ts';
import { appendEntryIn } from './log/leaves.ts';
import { accountChangedIn } from './record.ts';
import { accountOfOperator, insertAccount } from './store.ts';

/** The parts of the service that linking an account needs. */
export type LinkContext = { store: Store; clockWatch: ClockWatch; log: TrustLog };

type Operator = Pick<OperatorRow, 'operatorSeq' | 'operatorId'>;

/**
 * Links the account of the caller's operator, or unlinks it. Does nothing if it is so already.
 * @throws ApiError clock_wrong
 */
export async function setLinked(context: LinkContext, actor: Actor, linked: boolean) {
  const operator = requireOperator(actor);
  return context.store.write(actor.authority, (tx) => setLinkedIn(tx, context, operator, linked));
}

/**
 * Links or unlinks an account, with the leaf that says so. Both are leaves of one sequence, so nobody can
 * hide an interval.
 */
async function setLinkedIn(
  tx: Transaction,
  context: LinkContext,
  { operatorSeq, operatorId }: Operator,
  linked: boolean,
) {
  const { log } = context;
  const hash = accountOf(nativePrimitives, operatorId);
  const known = await accountOfOperator(tx, operatorSeq);
  const response = { operator_id: operatorId, linked, account: hash };
  if ((known?.linked ?? false) === linked) return { ...response, sequence: known?.leaves ?? 0 };
  const now = issueTime(context);
  const account = known ?? (await insertAccount(tx, { account: hash, operatorSeq }));
  const sequence = account.leaves + 1;
  const event = linked ? ('linked' as const) : ('unlinked' as const);
  const entry = { account: hash, sequence, event, at: timestampOf(now), ...NO_RECEIPT };
  const rows = { account, agent: null, recovered: false };
  await storeBoundIn(tx, await appendEntryIn(tx, log.open.accounts, entry, rows));
  accountChangedIn();
  tx.afterCommit(() => log.publisher.grown('accounts', entry.at));
  return { ...response, sequence };
}
