import { DEMO_CREDENTIAL_ID } from '../http/example-ids.ts';
import type { DemoAgent } from './agents.ts';
import type { DemoClient } from './receipts.ts';

/** Issues the credential that the documentation names. Checkpoints must contain all work of the agent. */
export async function issueCredential({ ask, ids }: DemoClient, agent: DemoAgent): Promise<void> {
  ids.reserve(`urn:uuid:${DEMO_CREDENTIAL_ID.replaceAll('-', '')}`);
  await ask(`GET /api/v1/credentials/${agent.commitment}`);
}
