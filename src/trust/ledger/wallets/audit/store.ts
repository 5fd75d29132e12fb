import { agent } from '../../../../../db/trust/agents.ts';
import { operator } from '../../../../../db/trust/operators.ts';
import { custodialWallet } from '../../../../../db/trust/wallets.ts';
import { sqlOf } from '../../../../platform/store/sql.ts';

const sql = sqlOf({ agent, custodialWallet, operator });

/** Returns the number of the newest wallet; null if there is none. */
export const newestWallet = sql.value(sql.number`max(wallet_seq)`)`FROM custodial_wallet`;

/** Returns the wallets with numbers above `after` up to `reach`, in order, and whether their owners exist. */
export const walletsBetween = sql.joined({
  wallet: custodialWallet,
  hasOwner: sql.flag`CASE owner_kind WHEN 'operator' THEN operator.operator_seq IS NOT NULL
    WHEN 'agent' THEN agent.agent_seq IS NOT NULL ELSE FALSE END`,
}).rows`FROM custodial_wallet
  LEFT JOIN operator ON operator.operator_seq = owner_seq LEFT JOIN agent ON agent.agent_seq = owner_seq
  WHERE wallet_seq > ${'after:walletSeq'} AND wallet_seq <= ${'reach:walletSeq'} ORDER BY wallet_seq`;
