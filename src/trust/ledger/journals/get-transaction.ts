import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { actsForAgent, findAgentIn } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import type { Actor } from '../../operators/auth/actor.ts';
import type { JournalAccount } from '../accounts.ts';
import { type FullTransaction, transactionOf } from '../journal.ts';
import { entryView, maskedAccount } from './entry-view.ts';

const ID = /^txn_[0-9a-f]{32}$/;

/**
 * Returns a transaction for one of its parties: for a key that acts for an agent whose credits it moved, or
 * an issuer key of an operator whose pool or stake it changed. An admin key sees all. Entries of other agents
 * are masked, and those of other pools are left out.
 * @throws ApiError not_found, even for a transaction of others
 */
export async function getTransaction({ store }: { store: Store }, principal: Actor, transactionId: string) {
  return store.read(async (snapshot) => {
    const transaction = ID.test(transactionId) ? await transactionOf(snapshot, transactionId) : null;
    if (transaction === null) throw noSuchTransaction();
    const entries: { account: JournalAccount; isOwn: boolean; entry: ReturnType<typeof entryView> }[] = [];
    for (const { account, entry } of transaction.entries) {
      const isOwn = await isPartyIn(snapshot, principal, account);
      if (isOwn || account.kind === 'agent') entries.push({ account, isOwn, entry: entryView(entry, isOwn) });
    }
    if (!entries.some(({ isOwn }) => isOwn) && !ownsAccount(principal, transaction))
      throw noSuchTransaction();
    return {
      transaction_id: transactionId,
      kind: transaction.kind,
      created_at: transaction.createdAt,
      entries: entries.map(({ account: { kind, name }, isOwn, entry }) => ({
        ...(kind === 'pool'
          ? { operator_id: name }
          : { subject_commitment: isOwn ? name : maskedAccount(name) }),
        ...entry,
      })),
    };
  });
}

/** Returns whether a caller sees all of a journal. */
async function isPartyIn(snapshot: Snapshot, principal: Actor, account: JournalAccount): Promise<boolean> {
  if (principal.admin) return true;
  if (account.kind === 'pool')
    return principal.role === 'issuer' && principal.operatorSeq === account.ownerSeq;
  const agent = await findAgentIn(snapshot, account.name);
  return agent !== null && actsForAgent(principal, agent);
}

/** Returns whether an account of the caller's operator was changed, even one without a journal. */
function ownsAccount({ admin, role, operatorSeq }: Actor, { accounts }: FullTransaction): boolean {
  const isOwn = ({ kind, ownerSeq }: FullTransaction['accounts'][number]) =>
    ownerSeq === operatorSeq && (kind === 'pool' || kind === 'stake' || kind === 'receivable');
  return admin || (role === 'issuer' && accounts.some(isOwn));
}

function noSuchTransaction() {
  return commonErrors.not_found({
    message: 'No transaction of this key has this id. Check the transaction_id.',
  });
}
