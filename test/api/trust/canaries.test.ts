import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newWallet, walletKey } from '../../../src/trust/ledger/wallets/keys.ts';
import { walletOfIn } from '../../../src/trust/ledger/wallets/wallets.ts';
import { createOperator } from '../../../src/trust/operators/create-operator.ts';
import { enrolledAgent } from '../../support/agent.ts';
import { askEverything, type Canary, CanaryWatch, canaryText } from '../../support/canary.ts';
import { client, DIGEST } from '../../support/client.ts';
import { evidencePath, signedEvidence } from '../../support/evidence.ts';
import { openTrustApp, type TrustApp } from '../../support/trust-app.ts';

const SERVICE_TOKEN = `svc_${'5e'.repeat(32)}`;
const TREASURY_KEY = '7e'.repeat(32);
const RPC_KEY = canaryText('rpc provider');
const CHAIN = {
  'evm.rpc_urls': `http://127.0.0.1:1/${RPC_KEY}`,
  'evm.chain_id': '31337',
  'evm.token': '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  'evm.treasury_key': `0x${TREASURY_KEY}`,
};

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp({ service_token: SERVICE_TOKEN, 'webhooks.allow_private': 'on', ...CHAIN });
});
afterAll(() => app.close());

test('no operation of the trust service reveals private texts to other callers, in any encoding', async () => {
  const { store } = app.service.trust;
  const canaries: Canary[] = [];
  const canary = (what: string, text: string, seenBy: readonly string[]): string => {
    canaries.push({ what, text, seenBy });
    return text;
  };
  const sha256 = (text: string): string => new Bun.CryptoHasher('sha256').update(text).digest('hex');
  const callers = [{ name: 'anyone', authorization: null as string | null }];
  const words: string[] = [];

  canary('the service token', SERVICE_TOKEN, []);
  canary('the service token, hashed', sha256(SERVICE_TOKEN), []);
  canary("the first operator's key", app.apiKey, []);
  canary('the key of the treasury', TREASURY_KEY, []);
  canary("the URL of the chain's node", RPC_KEY, []);

  const { masterKey } = app.service.trust;
  /** Makes an agent's wallet as its first touch does. */
  const agentWallet = async (seq: number): Promise<void> => {
    const candidate = await newWallet(masterKey, { kind: 'agent', seq });
    await store.writeAsService((tx) => walletOfIn(tx, app.service.trust, candidate));
  };
  const operator = async (name: string): Promise<void> => {
    const holder = `${name} holder`;
    const made = await createOperator(app.service.trust, {
      name: canary(`the name of ${name}`, canaryText(`operator ${name}`), [name]),
      admin: false,
    });
    const caller = client(app.fetch, 'http://localhost', made.api_key);
    callers.push({ name, authorization: `Bearer ${made.api_key}` });
    canary(`the key of ${name}`, made.api_key, []);
    canary(`the key of ${name}, hashed`, sha256(made.api_key), [name]);
    const agent = await enrolledAgent(app, { sponsor: made.operator_id });
    const key = await caller.post('/api/v1/operator/api-keys', {
      name: canary(`a key's name of ${name}`, canaryText(`key ${name}`), [name]),
      role: 'holder',
      subject_commitment: agent.commitment,
    });
    expect(key.status).toBe(201);
    canary(`the key of ${holder}`, String(key.body.api_key), []);
    callers.push({ name: holder, authorization: `Bearer ${key.body.api_key}` });

    for (const agentId of [
      agent.commitment,
      canary(`an agent's id of ${name}`, canaryText(`agent ${name}`), [name]),
    ]) {
      const seenBy = agentId === agent.commitment ? [name, holder] : [name];
      const field = (what: string): string =>
        canary(
          `${what} of ${name}, ${agentId}`,
          canaryText(`${what} ${name} ${seenBy.length === 1}`),
          seenBy,
        );
      const digest = sha256(field('input'));
      canary(`the input's digest of ${name}`, digest, seenBy);
      const issued = await caller.call(
        'POST',
        '/api/v1/receipts',
        {
          agent_id: agentId,
          receipt_type: 'custody',
          input_digest: digest,
          authority_scope: field('scope'),
          expiry: '2036-01-31T12:00:00Z',
          domain: 'CODE_GENERATION',
          blind: true,
        },
        { 'idempotency-key': canary('an Idempotency-Key', field('once'), []) },
      );
      expect(issued.status).toBe(201);
      canary(`the blind salt of ${name}`, String(issued.body.blind_salt), [name]);
      const end = { status: 'timeout', terminal_reason: field('why it ended') };
      expect((await caller.finalize(issued.body.receipt_id, end)).status).toBe(200);
      const revoked = await caller.issue({ agent_id: agentId, authority_scope: field('another scope') });
      await caller.finalize(revoked.body.receipt_id, {
        status: 'success',
        output_hash: sha256(field('output')),
      });
      words.push(String(issued.body.receipt_id), String(revoked.body.receipt_id));
    }

    // The first operator's key, an admin's, is no caller here: admins see the evidence of everybody.
    const payload = {
      ref: 'refs/heads/main',
      commits: [
        {
          id: sha256(name).slice(0, 40),
          message: canary(`evidence of ${name}`, canaryText(`evidence ${name}`), [name, holder]),
        },
      ],
    };
    const signed = signedEvidence(agent, 'github_push_webhook', payload);
    expect((await caller.post(evidencePath(agent.commitment), signed)).status).toBe(201);
    const hook = await caller.post('/api/v1/webhooks', {
      url: `https://127.0.0.1:1/${canary(`a webhook of ${name}`, canaryText(`hook ${name}`), [name])}`,
      events: ['reputation.milestone'],
    });
    expect(hook.status).toBe(201);
    canary(`a webhook's secret of ${name}`, String(hook.body.secret), []);
    canary(`a webhook's signing secret of ${name}`, String(hook.body.signing_secret), []);
    expect((await caller.get('/api/v1/account/wallet')).status).toBe(200);
    await agentWallet(agent.agent.agentSeq);
    const session = await caller.call('POST', '/api/v1/operator/session');
    const cookie = /session_token=([^;]+)/.exec(session.headers.get('set-cookie') ?? '')?.[1];
    canary(`the session of ${name}`, cookie ?? '', []);
    words.push(agent.commitment, String(hook.body.id), sha256(made.api_key));
  };
  await operator('alpha');
  await operator('beta');
  await app.service.trust.log.publisher.publish();
  callers.push({ name: 'service', authorization: `Bearer ${SERVICE_TOKEN}` });

  const cursorKey = await store.read(({ connection: { sqlite } }) =>
    sqlite.query<{ key: Uint8Array }, []>('SELECT key FROM cursor_key').get(),
  );
  canary('the cursor key', Buffer.from(cursorKey?.key ?? []).toString('latin1'), []);
  for (const name of readdirSync(join(app.directory, 'keys'))) {
    const text = readFileSync(join(app.directory, 'keys', name), 'utf8').trim();
    const [, body] = /-----BEGIN PRIVATE KEY-----\s([\s\S]+?)\s-----END/.exec(text) ?? [];
    canary(name, body ?? text, []);
    // A PKCS #8 key ends with the secret itself.
    if (body !== undefined) canary(name, Buffer.from(body, 'base64').subarray(-32).toString('latin1'), []);
  }
  const wallets = await store.read(({ connection: { sqlite } }) =>
    sqlite
      .query<Parameters<typeof walletKey>[1], []>(
        'SELECT owner_kind AS ownerKind, owner_seq AS ownerSeq, address, encrypted_key AS encryptedKey FROM custodial_wallet',
      )
      .all(),
  );
  expect(wallets).toHaveLength(4);
  for (const wallet of wallets) {
    const key = walletKey(masterKey, wallet).slice(2);
    canary(`the key of ${wallet.address}`, key, []);
    canary(`the key of ${wallet.address}, as bytes`, Buffer.from(key, 'hex').toString('latin1'), []);
    canary(`the key of ${wallet.address}, as a number`, BigInt(`0x${key}`).toString(), []);
    canary(`the encrypted key of ${wallet.address}`, wallet.encryptedKey, []);
  }
  expect(canaries.every(({ text }) => text.length >= 16)).toBe(true);

  const watch = new CanaryWatch(canaries);
  expect(watch.leaksTo('beta', `"${Buffer.from(app.apiKey).toString('hex')}"`)).toEqual([
    "the first operator's key",
  ]);

  const { body: document } = await app.anyone.get('/openapi.json');
  const { leaks, responses } = await askEverything(new CanaryWatch(canaries), {
    fetch: app.fetch,
    document,
    callers,
    words: [...words, DIGEST],
    queries: {
      '/api/v1/receipts': ['?limit=1', '?domain=CODE_GENERATION&limit=1'],
      '/api/v1/receipts/checkpoints': ['?limit=1', '?log=keys&limit=1'],
      '/api/v1/receipts/checkpoints/latest': ['?log=keys', '?log=revocations'],
      '/api/v1/passport/agents/{id}/evidence': ['?limit=1'],
      '/api/v1/leaderboard': ['?limit=1'],
      '/api/v1/webhooks': ['?limit=1'],
      '/api/v1/operator/api-keys': ['?limit=1'],
      '/api/v1/badge/{hash}/attestation': ['?format=json', '?format=svg'],
    },
  });
  expect(leaks).toEqual([]);
  expect(responses).toBeGreaterThan(2000);
  const secrets = canaries.filter(({ what }) => /key of|chain's node|master/.test(what));
  expect(secrets.length).toBeGreaterThan(18);
  const logWatch = new CanaryWatch(secrets);
  const inLog = app
    .logged()
    .split('\n')
    .flatMap((line) => logWatch.leaksTo('the log', line));
  expect(inLog).toEqual([]);
}, 180_000);
