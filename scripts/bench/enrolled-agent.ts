import { newAgentKey } from '../../test/support/agent.ts';
import type { BenchServer } from './server-process.ts';

/** Enrolls an agent. @returns its commitment */
export async function enrolledAgent({ url }: BenchServer): Promise<string> {
  return (await fetch(`${url}/enrolled`, { method: 'POST', body: newAgentKey().publicKey })).text();
}
