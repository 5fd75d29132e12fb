import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { operationsOfDocument } from '../../../../src/platform/client/operations.ts';
import { sha256Hex } from '../../../../src/platform/crypto/crypto.ts';
import { generateKeyPair } from '../../../../src/platform/crypto/key-files.ts';
import { enrollAt } from '../../../../src/tools/agent/enroll.ts';
import { sendLeftovers } from '../../../../src/tools/capture/sending/leftovers.ts';
import { OPERATIONS } from '../../../../src/tools/capture/services.ts';
import { readState } from '../../../../src/tools/capture/spool/file.ts';
import { type Captured, callNumber, openCaptured, SUCCESS } from '../../../support/captured.ts';
import { eventually } from '../../../support/virtual-time.ts';

let captured: Captured;
beforeEach(async () => {
  captured = await openCaptured();
});
afterEach(() => captured.close());

/** Sends what sessions have left, as `capture send` does. */
const send = () => sendLeftovers(captured, { target: null, signal: new AbortController().signal });

const sessionFiles = () => readdirSync(captured.directory.path).filter((name) => name !== 'unrecorded');

test('the operations that capture calls are those of the service', async () => {
  const { body } = await captured.app.anyone.get('/openapi.json');
  expect(operationsOfDocument(Object(body))).toMatchObject(OPERATIONS);
});

test('nothing exists before the first call', async () => {
  const session = captured.session();
  expect(existsSync(captured.directory.path)).toBe(false);
  await session.close(1000);
  expect(existsSync(captured.directory.path)).toBe(false);
  expect(await captured.receipts()).toEqual([]);
});

test('a call has a pending receipt before it is made, which its result finalizes', async () => {
  const session = captured.session();
  const call = session.begin(callNumber(1));
  expect(await call.recorded).toBe('issued');
  expect(await captured.receipts()).toMatchObject([
    {
      ...{
        status: 'pending',
        agent_id: 'clerk',
        authority_scope: 'mcp:files:read_1',
        receipt_type: 'custody',
      },
      ...{ domain: 'SYSTEM_INTEGRATION', input_digest: callNumber(1).inputDigest },
    },
  ]);
  call.end(SUCCESS);
  call.end({ status: 'terminal', reason: 'only the first end counts' });
  await session.close(5000);
  const [receipt, closing] = await captured.receipts();
  expect(receipt).toMatchObject({ status: 'success', output_hash: SUCCESS.outputHash });
  const digest = sha256Hex(`{"receipts":["${receipt?.content_hash}"]}`);
  expect(closing).toMatchObject({
    ...{ authority_scope: 'session:files', input_digest: digest, output_hash: digest, status: 'success' },
  });
  expect(sessionFiles()).toEqual([]);
  expect(captured.said).toEqual([]);
});

test('receipts form a chain, and the closing receipt names all in the order of their issue', async () => {
  const session = captured.session();
  const ends = [];
  for (const number of [1, 2, 3]) {
    const call = session.begin(callNumber(number));
    await call.recorded;
    ends.unshift(() => call.end(SUCCESS));
  }
  for (const end of ends) end();
  await session.close(5000);
  const receipts = await captured.receipts();
  const pending = await Promise.all(
    receipts.map(async ({ receipt_id }) => {
      const { body } = await captured.app.own.get(`/api/v1/receipts/${receipt_id}/versions`);
      return Object(body).versions.at(-1).receipt.content_hash;
    }),
  );
  expect(receipts.map(({ prev_receipt_hash }) => prev_receipt_hash ?? null)).toEqual([
    null,
    ...pending.slice(0, 3),
  ]);
  const hashes = receipts.slice(0, 3).map(({ content_hash }) => `"${content_hash}"`);
  expect(receipts[3]?.input_digest).toBe(sha256Hex(`{"receipts":[${hashes.join(',')}]}`));
});

test('fifty calls in parallel have one receipt each', async () => {
  const session = captured.session();
  const calls = Array.from({ length: 50 }, (_, number) => session.begin(callNumber(number + 1)));
  expect(await Promise.all(calls.map(({ recorded }) => recorded))).not.toContain('nothing');
  for (const call of calls) call.end(SUCCESS);
  await session.close(20_000);
  const receipts = await captured.receipts();
  expect(receipts).toHaveLength(51);
  expect(new Set(receipts.map(({ input_digest }) => input_digest)).size).toBe(51);
  expect(receipts.every(({ status }) => status === 'success')).toBe(true);
});

test.each([
  [
    'refusal',
    { status: 'refusal', reason: 'no such tool' },
    { status: 'refusal', refusal_reason: 'no such tool' },
  ],
  [
    'a failure',
    { status: 'terminal', reason: 'code -32000' },
    { status: 'terminal', terminal_reason: 'code -32000' },
  ],
] as const)('%s finalizes the receipt without a tranche', async (_, outcome, expected) => {
  const session = captured.session();
  session.begin(callNumber(1)).end(outcome);
  await session.close(5000);
  expect((await captured.receipts())[0]).toMatchObject({ ...expected, error_tranche: 'NONE' });
});

test('open calls end as graceful_shutdown with the session', async () => {
  const session = captured.session();
  await session.begin(callNumber(1)).recorded;
  await session.close(5000);
  expect((await captured.receipts())[0]).toMatchObject({ status: 'graceful_shutdown' });
});

test('a call that was not made after all ends as null, and without a request nothing is issued', async () => {
  const session = captured.session();
  const made = session.begin(callNumber(1));
  await made.recorded;
  made.drop('it was blocked');
  await eventually(async () => (await captured.receipts())[0]?.status === 'null');
  captured.away();
  await session.begin(callNumber(2)).recorded;
  const spooled = session.begin(callNumber(3));
  expect(await spooled.recorded).toBe('spooled');
  spooled.drop('it was blocked');
  captured.back();
  await session.close(5000);
  expect(await captured.receipts()).toMatchObject([
    { status: 'null', refusal_reason: 'it was blocked' },
    { authority_scope: 'mcp:files:read_2', status: 'graceful_shutdown' },
    { authority_scope: 'session:files' },
  ]);
});

test('a service that is away is asked once, and what was spooled is sent in order later', async () => {
  let asked = 0;
  captured.put(() => {
    asked += 1;
    return new Response('away', { status: 503 });
  });
  const session = captured.session();
  for (const number of [1, 2, 3, 4]) {
    const call = session.begin(callNumber(number));
    expect(await call.recorded).toBe('spooled');
    call.end(SUCCESS);
  }
  expect(asked).toBe(1);
  await session.close(0);
  expect(sessionFiles()).toHaveLength(2);
  expect(captured.said).toHaveLength(1);
  expect(captured.said[0]).toContain('a receipt waits in the spool');
  captured.back();
  expect(await send()).toMatchObject([{ sent: 4, left: 0, problem: null }]);
  const receipts = await captured.receipts();
  expect(receipts.map(({ authority_scope }) => authority_scope)).toEqual([
    ...[1, 2, 3, 4].map((number) => `mcp:files:read_${number}`),
    'session:files',
  ]);
  expect(receipts.every(({ status }) => status === 'success')).toBe(true);
  expect(sessionFiles()).toEqual([]);
  expect(await send()).toEqual([]);
});

test('a response that is lost leads to no second receipt', async () => {
  let lost = 0;
  captured.put(async (request, pass) => {
    const response = await pass();
    if (request.method !== 'POST' || lost >= 2) return response;
    lost += 1;
    return new Response('lost', { status: 502 });
  });
  const session = captured.session();
  const call = session.begin(callNumber(1));
  expect(await call.recorded).toBe('spooled');
  call.end(SUCCESS);
  await session.close(0);
  await send();
  await send();
  expect((await captured.receipts()).map(({ status }) => status)).toEqual(['success', 'success']);
  expect(lost).toBe(2);
});

test('a service that does not respond holds a call for less than a second', async () => {
  const release = Promise.withResolvers<void>();
  captured.put(async (_, pass) => {
    await release.promise;
    return pass();
  });
  const session = captured.session();
  const began = performance.now();
  const call = session.begin(callNumber(1));
  expect(await call.recorded).toBe('spooled');
  expect(performance.now() - began).toBeLessThan(1000);
  expect(await session.begin(callNumber(2)).recorded).toBe('spooled');
  release.resolve();
  call.end(SUCCESS);
  await session.close(10_000);
  expect((await captured.receipts()).map(({ status }) => status)).toEqual([
    'success',
    'graceful_shutdown',
    'success',
  ]);
});

test('a key that is not accepted loses nothing, and the next key sends it', async () => {
  captured.useKey(`pp_${'0'.repeat(64)}`);
  const session = captured.session();
  expect(await session.begin(callNumber(1)).recorded).toBe('spooled');
  await session.close(1000);
  const [name = ''] = captured.directory.names();
  expect(readState(captured.directory.fileOf(name)).paused?.reason).toContain('unauthorized');
  captured.useKey(captured.app.apiKey);
  expect(await send()).toMatchObject([{ sent: 1, left: 0 }]);
});

test('an entry that the service refuses keeps nothing else back', async () => {
  const session = captured.session({ header: { domain: 'NO_SUCH_DOMAIN' } });
  expect(await session.begin(callNumber(1)).recorded).toBe('spooled');
  await session.close(1000);
  const other = captured.session();
  other.begin(callNumber(2)).end(SUCCESS);
  await other.close(5000);
  const [sent] = await send();
  expect(sent).toMatchObject({
    sent: 0,
    left: 1,
    problem: { of: 'call', reason: expect.stringContaining('domain') },
  });
  expect(await captured.receipts()).toHaveLength(2);
});

test.each([
  ['another status', { status: 'null', refusal_reason: 'it was not made' }],
  ['another output', { status: 'success', output_hash: 'cd'.repeat(32) }],
])('a receipt that somebody else ended with %s is told, and not taken for done', async (_, body) => {
  const session = captured.session();
  const call = session.begin(callNumber(1));
  await call.recorded;
  const [pending] = await captured.receipts();
  await captured.app.own.post(`/api/v1/receipts/${pending?.receipt_id}/finalize`, body);
  call.end(SUCCESS);
  await session.close(5000);
  expect(captured.said.join()).toContain('somebody else ended the receipt');
  expect(await send()).toMatchObject([
    { sent: 0, left: 1, problem: { of: 'call', reason: expect.stringContaining('in another way') } },
  ]);
});

test('a receipt that somebody else ended in the same way is done', async () => {
  const session = captured.session();
  const call = session.begin(callNumber(1));
  await call.recorded;
  const [pending] = await captured.receipts();
  const { status, outputHash: output_hash } = SUCCESS;
  await captured.app.own.post(`/api/v1/receipts/${pending?.receipt_id}/finalize`, { status, output_hash });
  call.end(SUCCESS);
  await session.close(5000);
  expect(sessionFiles()).toEqual([]);
});

test.each(['input_digest', 'authority_scope'])(
  'a receipt with another %s is not that of the call',
  async (member) => {
    captured.put(async (request, pass) => {
      const response = await pass();
      if (request.method !== 'POST') return response;
      return Response.json({ ...Object(await response.json()), [member]: 'f'.repeat(64) }, { status: 201 });
    });
    const session = captured.session();
    expect(await session.begin(callNumber(1)).recorded).toBe('spooled');
    await session.close(1000);
    const [name = ''] = captured.directory.names();
    const [call] = readState(captured.directory.fileOf(name)).calls.values();
    expect(call).toMatchObject({
      receipt: null,
      refusal: { reason: expect.stringContaining('of another call') },
    });
  },
);

test('a reason for which nothing can be sent is written once', async () => {
  captured.away();
  const session = captured.session();
  session.begin(callNumber(1)).end(SUCCESS);
  await session.close(1000);
  const [name = ''] = captured.directory.names();
  const sizes = [];
  for (let round = 0; round < 3; round += 1) {
    await send();
    sizes.push(statSync(captured.directory.fileOf(name)).size);
  }
  expect(new Set(sizes).size).toBe(1);
});

test('a chain goes on after the service lost its newest receipt', async () => {
  const session = captured.session();
  await session.begin(callNumber(1)).recorded;
  const [forgotten] = await captured.receipts();
  captured.put(async (request, pass) => {
    const body = request.method === 'POST' ? await request.clone().text() : '';
    if (!body.includes(String(forgotten?.content_hash))) return pass();
    return Response.json(
      { reason_code: 'validation_error', error: 'invalid', issues: { prev_receipt_hash: ['is unknown'] } },
      { status: 400 },
    );
  });
  expect(await session.begin(callNumber(2)).recorded).toBe('issued');
  await session.close(5000);
  expect((await captured.receipts())[1]?.prev_receipt_hash ?? null).toBeNull();
});

test('the evidence of an agent has digests and no argument, and its agent is the commitment of the key', async () => {
  const key = generateKeyPair('Ed25519');
  const { subject_commitment } = await enrollAt(captured.url, key, {}, captured.app.apiKey);
  const session = captured.session({ key, header: { agent_id: String(subject_commitment) } });
  const call = session.begin({
    ...callNumber(1),
    details: { ...callNumber(1).details, arguments: { secret: 'hunter2' } },
  });
  call.end(SUCCESS, { result: { text: 'hunter3' }, answerDigest: 'cd'.repeat(32) });
  await session.close(5000);
  const { body } = await captured.app.own.get(`/api/v1/passport/agents/${subject_commitment}/evidence`);
  const evidence = Object(body).evidence;
  expect(evidence).toHaveLength(1);
  expect(evidence[0]).toMatchObject({ source_type: 'otel_genai_trace', outcome: 'success' });
  const text = JSON.stringify(evidence[0].payload);
  for (const digest of [callNumber(1).inputDigest, SUCCESS.outputHash, 'cd'.repeat(32)])
    expect(text).toContain(digest);
  expect(text).not.toContain('hunter');
  expect((await captured.receipts())[0]).toMatchObject({ agent_id: subject_commitment, status: 'success' });
});

test('arguments and results are kept on this machine only where that is wanted', async () => {
  const keep = join(captured.path, 'kept');
  const session = captured.session({ keep });
  const call = session.begin(callNumber(1));
  call.end(SUCCESS, { result: { text: 'the result' } });
  await session.close(5000);
  const file = join(keep, `${call.captureId}.json`);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    ...{
      capture_id: call.captureId,
      arguments: { number: 1 },
      result: { text: 'the result' },
      status: 'success',
    },
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.stringify(await captured.receipts())).not.toContain('the result');
});

test('without a spool a call has its receipt, and is counted where that is impossible too', async () => {
  const blocked = join(captured.path, 'capture');
  await Bun.write(blocked, 'a file where the directory would be');
  const session = captured.session();
  expect(await session.begin(callNumber(1)).recorded).toBe('issued');
  captured.away();
  expect(await session.begin(callNumber(2)).recorded).toBe('nothing');
  captured.back();
  await session.close(5000);
  expect(captured.said.join('')).toContain('neither a receipt nor an entry in the spool');
});
