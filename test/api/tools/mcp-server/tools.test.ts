import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { ServiceClient } from '../../../../src/platform/client/service-client.ts';
import { ServiceTarget } from '../../../../src/platform/client/service-target.ts';
import { toolsFor } from '../../../../src/tools/mcp-server/serve.ts';
import { resultOf } from '../../../../src/tools/mcp-server/tool.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { vectorText } from '../../../support/vectors.ts';

let app: TrustApp;
let server: ReturnType<typeof Bun.serve>;
let keys: string;
beforeAll(async () => {
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => app.fetch(request) });
  app = await openTrustApp({}, null, ':memory:', { url: server.url.href });
  keys = JSON.stringify((await app.anyone.get('/api/v1/transparency/keys')).body);
});
afterAll(async () => {
  await server.stop(true);
  await app.close();
});

const targetWith = (key: string | null, url = server.url.href) => ({
  service: new ServiceTarget(new ServiceClient(url, key)),
  label: 'the service (context prod)',
});
/** Calls a tool as an agent would. */
async function call(name: string, values: unknown, target = targetWith(app.apiKey)) {
  const tool = toolsFor(target, false, true).find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const { structuredContent, isError = false, content } = await resultOf(tool, values);
  expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
  return { isError, result: structuredContent, error: Object(structuredContent.error) };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const ISSUE = {
  agent_id: 'clerk',
  domain: 'CODE_GENERATION',
  authority_scope: 'repo:write',
  input: 'hello',
};
const issued = async (changes: object = {}) => (await call('issue_receipt', { ...ISSUE, ...changes })).result;

describe('issue_receipt and finalize_receipt', () => {
  test('make a receipt of digests only, which verifies with what was checked', async () => {
    const pending = await issued();
    expect(pending).toMatchObject({
      status: 'pending',
      receipt_type: 'custody',
      input_digest: sha256('hello'),
      authority_scope: 'repo:write',
    });
    const days = (Date.parse(String(pending.expiry)) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(3650);
    const { result: final } = await call('finalize_receipt', {
      receipt_id: pending.receipt_id,
      status: 'success',
      output: 'done',
    });
    expect(final).toMatchObject({ status: 'success', output_hash: sha256('done'), error_tranche: 'NONE' });
    const { result: verdict } = await call('verify', { document: JSON.stringify(final) });
    expect(verdict).toMatchObject({
      valid: true,
      trusted_keys: 'the service (context prod)',
      revocation: 'ok',
      problems: [],
    });
    expect(verdict.sentence).toContain('not revoked');
  });

  test.each([
    ['refusal', 'refusal_reason'],
    ['null', 'refusal_reason'],
    ['terminal', 'terminal_reason'],
    ['graceful_shutdown', 'terminal_reason'],
    ['timeout', 'terminal_reason'],
    ['failure_tombstone', 'terminal_reason'],
  ])('of the status %s take a reason, and nothing of the stake', async (status, member) => {
    const { receipt_id } = await issued();
    const { result } = await call('finalize_receipt', { receipt_id, status, reason: 'so' });
    expect(result).toMatchObject({ status, [member]: 'so', error_tranche: 'NONE' });
  });

  test('chain receipts, and take digests in place of contents', async () => {
    const first = await issued({ input: undefined, input_digest: 'ab'.repeat(32), expires_in_days: 1 });
    expect(first.input_digest).toBe('ab'.repeat(32));
    const second = await issued({ prev_receipt_hash: first.content_hash, receipt_type: 'competence' });
    expect(second).toMatchObject({ prev_receipt_hash: first.content_hash, receipt_type: 'competence' });
  });

  test.each([
    ['without an input', { input: undefined }, 'one of input and input_digest is needed'],
    ['with an input and a digest', { input_digest: 'ab'.repeat(32) }, 'one of input and input_digest'],
    ['of another domain', { domain: 'MEDICINE' }, 'domain: '],
    ['with a member of the API that is no argument', { blind: true }, 'blind: '],
    ['of an agent without a name', { agent_id: '' }, 'agent_id: '],
    ['of a very long name', { agent_id: 'x'.repeat(257) }, 'agent_id: '],
    ['that is valid forever', { expires_in_days: 1e9 }, 'expires_in_days: '],
    ['with a digest in capitals', { input: undefined, input_digest: 'AB'.repeat(32) }, 'input_digest: '],
  ])('are refused %s', async (_, changes, message) => {
    const { isError, error } = await call('issue_receipt', { ...ISSUE, ...changes });
    expect([isError, error.code]).toEqual([true, 'invalid_arguments']);
    expect(error.message).toContain(message);
  });

  test.each([
    [{ status: 'success' }, 'one of output and output_hash is needed'],
    [{ status: 'success', output: 'x', reason: 'y' }, 'success has no reason'],
    [{ status: 'terminal', output: 'x', reason: 'y' }, 'terminal has no output'],
    [{ status: 'terminal' }, 'terminal needs a reason'],
    [{ status: 'pending' }, 'status: '],
    [{ status: 'timeout', reason: 'x', error_tranche: 'DATA_LEAKAGE' }, 'error_tranche: '],
  ])('are refused with %j', async (values, message) => {
    const { error } = await call('finalize_receipt', { receipt_id: 'rcpt_0', ...values });
    expect([error.code, error.message]).toEqual(['invalid_arguments', expect.stringContaining(message)]);
  });

  test.each(['mcp:files:read', 'hook:Bash', 'run:job', 'session:files', 'MCP:files:x', ' mcp:x'])(
    'are refused for %p, which is a scope of capture',
    async (authority_scope) => {
      const { error } = await call('issue_receipt', { ...ISSUE, authority_scope });
      expect([error.code, error.message]).toEqual([
        'invalid_arguments',
        expect.stringContaining('countersign mcp, hook and run'),
      ]);
    },
  );

  test('end only what this server issued, unless the user allows more', async () => {
    const { receipt_id: other } = await issued();
    const tools = toolsFor(targetWith(app.apiKey), false);
    const ask = (name: string, values: object) => {
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error(`no tool ${name}`);
      return resultOf(tool, values);
    };
    const outcome = { status: 'success', output: '' };
    const refused = await ask('finalize_receipt', { receipt_id: other, ...outcome });
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'not_authorized' } },
    });
    const { structuredContent: own } = await ask('issue_receipt', ISSUE);
    expect(await ask('finalize_receipt', { receipt_id: own.receipt_id, ...outcome })).toMatchObject({
      structuredContent: { status: 'success' },
    });
  });

  test('have the code of the service where it refuses', async () => {
    const { receipt_id } = await issued();
    const values = { receipt_id, status: 'terminal', reason: 'x' };
    await call('finalize_receipt', values);
    expect((await call('finalize_receipt', values)).error.code).toBe('receipt_already_finalized');
    const other = targetWith(app.otherKey);
    expect((await call('finalize_receipt', values, other)).error.code).toBe('receipt_not_found');
    expect((await call('finalize_receipt', { ...values, receipt_id: '../operator' })).isError).toBe(true);
    const stranger = targetWith(null);
    expect((await call('issue_receipt', ISSUE, stranger)).error).toMatchObject({
      code: 'unauthorized',
    });
  });
});

describe('check_gate and look_up_agent', () => {
  test('ask the service', async () => {
    const { receipt_id, operator_id } = await issued();
    await call('finalize_receipt', { receipt_id, status: 'success', output: '' });
    const gate = { operator_id, domain: 'CODE_GENERATION' };
    expect((await call('check_gate', gate)).result).toMatchObject({ allow_invocation: true, reason: 'OK' });
    const denied = await call('check_gate', { ...gate, operator_id: 'op_cus_nobody' });
    expect(denied.result).toMatchObject({ allow_invocation: false, reason: 'OPERATOR_UNKNOWN' });
    const unknown = await call('look_up_agent', { commitment: 'ab'.repeat(32) });
    expect([unknown.isError, unknown.error.code]).toEqual([true, 'not_found']);
    expect((await call('look_up_agent', { commitment: '../receipts' })).error.code).toBe('invalid_arguments');
  });
});

describe('verify', () => {
  test('trusts the keys in a call only where they are there, and says so', async () => {
    const document = JSON.stringify(await issued());
    const { result } = await call('verify', { document, keys });
    expect(result).toMatchObject({ valid: true, trusted_keys: 'those of this call' });
    expect(result.not_checked).toContain('revocation');
    const others = await call('verify', { document, keys: vectorText('receipt/keys.json') });
    expect(others.result).toMatchObject({ valid: false });
  });

  test('says of a changed receipt that it is not authentic', async () => {
    const receipt = { ...(await issued()), agent_id: 'another' };
    const { isError, result } = await call('verify', { document: JSON.stringify(receipt) });
    expect([isError, result.valid]).toEqual([false, false]);
  });

  test('says that a receipt is revoked', async () => {
    const receipt = await issued();
    await app.own.post(`/api/v1/receipts/${receipt.receipt_id}/revoke`, { reason: 'a mistake' });
    const { result } = await call('verify', { document: JSON.stringify(receipt) });
    expect(result).toMatchObject({ valid: false, revocation: 'revoked' });
  });

  test.each([
    ['', 'invalid_arguments'],
    ['x'.repeat(2 ** 20 + 1), 'invalid_arguments'],
    [{}, 'invalid_arguments'],
  ])('refuses a document that is no text of 1 to 1,048,576 characters (%#)', async (document, code) => {
    expect((await call('verify', { document })).error.code).toBe(code);
  });

  test.each(['[]', '{"receipt_id": 1, "receipt_id": 2}', '[['.repeat(50_000), '\u0000', '💥', 'null'])(
    'says what is wrong with a document that is none, and does not fail (%#)',
    async (document) => {
      const { isError, result } = await call('verify', { document });
      expect([isError, result.valid]).toEqual([false, false]);
    },
  );

  test('refuses a list of keys, which needs a log, and keys that are none', async () => {
    const { error } = await call('verify', { document: keys });
    expect(error).toMatchObject({ code: 'invalid_arguments' });
    for (const wrong of ['{}', 'keys.json', 'http://127.0.0.1/', '[']) {
      const { error: refused } = await call('verify', { document: '{}', keys: wrong });
      expect(refused).toMatchObject({
        code: 'invalid_arguments',
        message: expect.stringContaining('keys: '),
      });
    }
  });

  test('says that the service is away', async () => {
    const { error } = await call('verify', { document: '{}' }, targetWith(null, 'http://127.0.0.1:1'));
    expect(error.code).toBe('no_connection');
  });
});

test('without a service, the only tool verifies with the keys of the call', async () => {
  const [tool, ...others] = toolsFor(null, false);
  expect([tool?.name, others]).toEqual(['verify', []]);
});

test('a read-only server has no tool that changes something', () => {
  expect(toolsFor(targetWith(null), true).map(({ name }) => name)).toEqual([
    'verify',
    'check_gate',
    'look_up_agent',
  ]);
});
