import { type AccountEntry, readAccountEntry } from '../../src/proof/log/log-entry.ts';
import { accountLeavesOf } from '../../src/trust/receipts/linked/log/leaves.ts';
import type { client } from './client.ts';
import type { TrustApp } from './trust-app.ts';

export const LINKED = '/api/v1/operator/linked';

/** Links or unlinks the account of a client's operator. */
export const link = (caller: ReturnType<typeof client>, linked = true) =>
  caller.call('PUT', LINKED, { linked });

/** Returns the entries of the log of accounts from an index on, parsed. */
export async function accountEntries({ service }: TrustApp, from = 0): Promise<AccountEntry[]> {
  const leaves = await service.trust.store.read((snapshot) => accountLeavesOf(snapshot, from, 1e6));
  return leaves.map(({ entry }) => readAccountEntry(entry));
}

/** Returns what is wrong with the sequences of entries: of an account or an agent, each is dense from 1. */
export function sequenceProblems(entries: readonly AccountEntry[]): string[] {
  const newest = new Map<string, number>();
  const problems: string[] = [];
  const take = (name: string, sequence: number): void => {
    if (sequence !== (newest.get(name) ?? 0) + 1)
      problems.push(`${name}: ${sequence} after ${newest.get(name)}`);
    newest.set(name, sequence);
  };
  for (const { account, sequence, agent, agent_sequence } of entries) {
    take(account, sequence);
    if (agent !== null) take(`${account} ${agent}`, agent_sequence);
  }
  return problems;
}
