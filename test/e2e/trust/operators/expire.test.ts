import { afterEach, beforeEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import { DAY_MS } from '../../../../src/platform/time/units.ts';
import { createKeyFor } from '../../../support/api-keys.ts';
import { client } from '../../../support/client.ts';
import { selfProvisionedAgent } from '../../../support/credits.ts';
import { evidencePath, signedEvidence } from '../../../support/evidence.ts';
import { run, scratch, serve } from '../../../support/process.ts';
import { openTrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

let directory: ReturnType<typeof scratch>;
let data: string;

beforeEach(() => {
  directory = scratch();
  data = join(directory.path, 'data');
});
afterEach(() => directory.dispose());

/** An operator that an agent made for itself a number of days ago, with a key and a payload that shows `word`. */
async function stranger(days: number, word: string) {
  const app = await openTrustApp({}, new VirtualTime(Date.now() - days * DAY_MS), data);
  const agent = await selfProvisionedAgent(app);
  const { api_key: key } = await createKeyFor(app.service.trust, agent.operatorId, {
    role: 'holder',
    subject_commitment: agent.commitment,
  });
  const holder = client(app.fetch, 'http://localhost', key);
  const payload = { sha: 'ab'.repeat(20), commit: { message: word } };
  const path = evidencePath(agent.commitment);
  const sent = await holder.post(path, signedEvidence(agent, 'github_commit_payload', payload));
  const issued = await holder.issue({ agent_id: agent.commitment });
  expect([sent.status, issued.status]).toEqual([201, 201]);
  await app.service.trust.log.publisher.publish();
  await app.close();
  return { agent, key, path, hash: String(sent.body.event_commitment_hash), owner: app.apiKey };
}

const expire = (...args: string[]) =>
  run(['operators', 'expire', '--plan', 'FREE', '--idle', '90d', '--data', data, ...args]);

test('operators expire deletes keys and payloads of idle operators only, beside a server too, and proofs stay', async () => {
  const idle = await stranger(120, 'a-word-of-an-idle-stranger');
  const recent = await stranger(30, 'a-word-of-another');
  const refused = await expire();
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining(`${idle.agent.operatorId}: 1 keys, 0 webhooks, 1 payloads`),
  ]);
  expect(refused.stderr).not.toContain(recent.agent.operatorId);

  const server = await serve(data);
  const status = async (key: string) => (await client(fetch, server.url, key).get('/api/v1/receipts')).status;
  const done = await expire('--yes');
  expect([done.code, JSON.parse(done.stdout)]).toEqual([
    0,
    { operators: 1, keys: 1, webhooks: 0, payloads: 1 },
  ]);
  expect([await status(idle.key), await status(recent.key), await status(idle.owner)]).toEqual([
    401, 200, 200,
  ]);
  for (const { path, hash } of [idle, recent])
    expect((await fetch(new URL(`${path}/${hash}/proof`, server.url))).status).toBe(200);
  const again = await expire('--yes');
  expect([again.code, JSON.parse(again.stdout)]).toEqual([
    0,
    { operators: 0, keys: 0, webhooks: 0, payloads: 0 },
  ]);
  await server.stop();

  const backup = join(directory.path, 'backup.db');
  expect((await run(['backup', backup, '--data', data])).code).toBe(0);
  const text = Buffer.from(await Bun.file(backup).arrayBuffer()).toString('latin1');
  expect([text.includes('a-word-of-an-idle-stranger'), text.includes('a-word-of-another')]).toEqual([
    false,
    true,
  ]);
  expect(await run(['fsck', data])).toMatchObject({ code: 0 });
});
