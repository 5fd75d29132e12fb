import { agent } from '../../../../db/trust/agents.ts';
import { operator } from '../../../../db/trust/operators.ts';
import { custodialWallet } from '../../../../db/trust/wallets.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ agent, custodialWallet, operator });

/** Wallets with the names of their owners, without their keys. */
const owned = sql.joined({
  walletSeq: custodialWallet.walletSeq,
  ownerKind: custodialWallet.ownerKind,
  address: custodialWallet.address,
  createdAt: custodialWallet.createdAt,
  operatorId: orNull(operator.operatorId),
  commitment: orNull(agent.subjectCommitment),
});
const OWNED = sql.part`FROM custodial_wallet
  LEFT JOIN operator ON owner_kind = 'operator' AND operator_seq = owner_seq
  LEFT JOIN agent ON owner_kind = 'agent' AND agent_seq = owner_seq`;

export type OwnedWallet = Awaited<ReturnType<typeof walletsBefore>>[number];

/** Returns up to `limit` wallets with numbers below `before`, newest first. */
export const walletsBefore = owned.rows`${OWNED}
  WHERE wallet_seq < ${'before:walletSeq'} ORDER BY wallet_seq DESC LIMIT ${'limit'}`;

/** Returns the wallet of an operator by its operator_id; null if it has none. */
export const walletOfOperator = owned.row`${OWNED} WHERE operator_id = ${'operatorId'}`;

/** Returns the wallet of an agent by its commitment, 64 hexadecimal characters; null if it has none. */
export const walletOfAgent = owned.row`${OWNED} WHERE subject_commitment = ${'subjectCommitment'}`;

/** Returns the custodial wallet with an address, as EIP-55 writes it; null if there is none. */
export const ownedWalletByAddress = owned.row`${OWNED} WHERE address = ${'address'}`;
