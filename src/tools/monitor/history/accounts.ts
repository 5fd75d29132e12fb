import { hexToBytes } from '../../../proof/encoding/hex.ts';
import type { AccountEntry } from '../../../proof/log/log-entry.ts';
import type { ChainHead, HistoryStore } from './store.ts';

/** The head of an account that is not linked. An agent has the hash of its account. */
const UNLINKED = new Uint8Array(32);

/** Where the head of a linked account, which begins with 1, has the sequence of the leaf that linked it. */
const SINCE = 8;

/**
 * The names in the history. A log could otherwise name an account like an agent whose evidence it dropped,
 * and so hide the gap.
 */
const nameOfAccount = (account: string): string => `00${account}`;
const nameOfAgent = (agent: string): string => `01${agent}`;

/**
 * Takes the next entry of the log of accounts. The sequences of an account and of an agent are dense. An
 * account has leaves of receipts only while it is linked, and an agent belongs to one account.
 * @returns how the entry contradicts the ones before; null for no problem
 */
export function takeAccountEntry(store: HistoryStore, entry: AccountEntry): string | null {
  const { account, sequence, event, agent, agent_sequence } = entry;
  const before = store.headOf(nameOfAccount(account));
  const expected = before === null ? 1 : before.count + 1;
  const wasLinked = before !== null && before.head[0] !== 0;
  // After a missing leaf, the sequence continues from here, so that one problem is reported once.
  if (sequence >= expected)
    store.setHead(nameOfAccount(account), {
      count: sequence,
      head: headAfter(entry, wasLinked ? before : null),
    });
  const ofAgent = agent === null ? null : agentProblem(store, account, agent, agent_sequence);
  if (sequence !== expected)
    return `it is leaf ${sequence} of account ${account}, whose next leaf is ${expected}: leaves were dropped, repeated, swapped or moved`;
  if (wasLinked === (event === 'linked'))
    return `it is ${event}, and account ${account} was ${wasLinked ? 'linked' : 'not linked'} before`;
  return ofAgent;
}

/**
 * Returns the sequence of the leaf that linked an account, all the time since; null if it is not linked.
 * @param headOf returns the head of a name
 */
export function linkedSince(headOf: (name: string) => ChainHead | null, account: string): number | null {
  const head = headOf(nameOfAccount(account))?.head;
  return head === undefined || head[0] === 0 ? null : viewOf(head).getFloat64(SINCE);
}

/**
 * Returns the head of an account after a leaf.
 * @param linked the head before, if it is of a linked account
 */
function headAfter({ event, sequence }: AccountEntry, linked: ChainHead | null): Uint8Array {
  if (event === 'unlinked') return UNLINKED;
  if (linked !== null && event !== 'linked') return linked.head;
  const head = new Uint8Array(UNLINKED.length);
  head[0] = 1;
  viewOf(head).setFloat64(SINCE, sequence);
  return head;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function agentProblem(store: HistoryStore, account: string, agent: string, sequence: number): string | null {
  const before = store.headOf(nameOfAgent(agent));
  const expected = before === null ? 1 : before.count + 1;
  const owner = before === null ? account : Buffer.from(before.head).toString('hex');
  if (sequence >= expected) store.setHead(nameOfAgent(agent), { count: sequence, head: hexToBytes(owner) });
  if (owner !== account) return `its agent ${agent} is of account ${owner}, and it is of account ${account}`;
  if (sequence === expected) return null;
  return `it is leaf ${sequence} of agent ${agent}, whose next leaf is ${expected}: leaves were dropped, repeated, swapped or moved`;
}
