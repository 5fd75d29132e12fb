import type { ApiCall } from '../../src/platform/demo/api-client.ts';
import { demoAgent, exampleAgent } from '../../src/trust/demo/agents.ts';
import { DEMO_OTHER_KEY } from '../../src/trust/http/example-ids.ts';
import type { Known } from '../../test/support/recorded/known.ts';
import { rowsOf } from '../../test/support/recorded/pages.ts';
import type { Session } from '../../test/support/recorded/session.ts';

/** Agents of the demonstration. */
const NAMES = [
  'Code reviewer',
  'Support assistant',
  'Route planner',
  'Retired scraper',
  'Invoice auditor',
  'Lone researcher',
  'Wandering indexer',
  'Hall meter',
];

/**
 * Writes down the keys of the operators and agents of the demonstration, and creates those that nobody has.
 */
export async function rememberDemonstration({ ask, command }: Session, known: Known): Promise<void> {
  for (const line of (await command('operators', 'list', '--output', 'ndjson', '--all')).trim().split('\n')) {
    const { operator_id } = JSON.parse(line);
    known.operators[operator_id] ??= JSON.parse(
      await command('operators', 'key', '--yes', operator_id),
    ).api_key;
  }
  for (const { commitment } of [exampleAgent(), ...NAMES.map((name) => demoAgent(name))])
    known.agents[commitment] = await keyFor(ask, commitment, Object.values(known.operators));
  // The receiver of this webhook has a name, which a test must not look up.
  const own = { key: DEMO_OTHER_KEY };
  for (const { id } of rowsOf((await ask('GET /api/v1/webhooks', own)).webhooks))
    await ask(`DELETE /api/v1/webhooks/${id}`, own);
}

/**
 * Returns the key that may read the withdrawals of an agent: one of its sponsor, or an admin key if it has
 * none.
 */
async function keyFor(ask: ApiCall, commitment: string, keys: readonly string[]): Promise<string> {
  for (const key of keys) {
    try {
      await ask(`GET /api/v1/agent-pay/withdrawals?subject_commitment=${commitment}`, { key });
      return key;
    } catch (error) {
      if (!String(error).includes('forbidden')) throw error;
    }
  }
  throw new Error(`no key reads ${commitment}`);
}
