import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOG_NAMES } from '../../../../../src/proof/log/log-names.ts';
import { formatVerifierKey, parseNote, signatureLine } from '../../../../../src/proof/log/note.ts';
import { reportCompromised } from '../../../../../src/trust/log/keys/report-compromised.ts';
import { coseReceiptOf } from '../../../../support/cose-receipt-of.ts';
import { finalized, provenEntry } from '../../../../support/log.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { eventually, VirtualTime } from '../../../../support/virtual-time.ts';
import { newNoteSigner } from '../../../../unit/proof/log/signed-notes.ts';

let directory: string;
let app: TrustApp | null = null;
let time: VirtualTime;
const closing: (() => unknown)[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-cosigned-'));
  time = new VirtualTime();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await app?.close();
  app = null;
  rmSync(directory, { recursive: true });
});

/** A witness that signs every checkpoint it gets, at once or when the test releases its responses. */
function cosigner(name: string) {
  const signer = newNoteSigner(`${name}.example`, 'cosignature');
  const held: (() => void)[] = [];
  const witness = {
    name,
    isSlow: false,
    /** True if it refuses instead of signing. */
    refuses: false,
    /** The size of the receipts log that it has cosigned for somebody else; 0 for none. */
    cosignedFor: 0,
    whenAsked: (): void => undefined,
    /** The sizes of the receipts log that it was asked to cosign. */
    asked: [] as number[],
    held,
    release() {
      for (const go of held.splice(0)) go();
    },
    line: '',
  };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const body = await request.text();
      const { text } = parseNote(Buffer.from(body.slice(body.indexOf('\n\n') + 2)));
      const [origin = '', size] = text.split('\n');
      if (origin.endsWith('/receipts')) witness.asked.push(Number(size));
      if (origin.endsWith('/receipts') && witness.cosignedFor > 0) {
        const { cosignedFor } = witness;
        witness.whenAsked();
        if (!body.startsWith(`old ${cosignedFor}\n`)) {
          const headers = { 'content-type': 'text/x.tlog.size' };
          return new Response(`${cosignedFor}\n`, { status: 409, headers });
        }
      }
      if (witness.isSlow) await new Promise<void>((resolve) => held.push(resolve));
      return witness.refuses
        ? new Response('no', { status: 500 })
        : new Response(signatureLine(signer.sign(text)));
    },
  });
  closing.push(() => server.stop(true));
  witness.line = `witness ${name} ${formatVerifierKey(signer.key)} http://127.0.0.1:${server.port}\n`;
  return witness;
}

type Cosigner = ReturnType<typeof cosigner>;

function policyOf(witnesses: readonly Cosigner[], quorum: string): string {
  const path = join(directory, `${quorum}.policy`);
  const names = witnesses.map(({ name }) => name).join(' ');
  const group = quorum === 'none' ? '' : `group members ${quorum} ${names}\n`;
  const lines = witnesses.map(({ line }) => line).join('');
  writeFileSync(path, `${lines}${group}quorum ${quorum === 'none' ? 'none' : 'members'}\n`);
  return path;
}

/** Opens a service whose quorum is `all` or `any` of these witnesses, or `none`. */
async function openWith(witnesses: readonly Cosigner[], quorum: string, data = ':memory:') {
  app = await openTrustApp({ 'log.witness_policy': policyOf(witnesses, quorum) }, time, data);
  return app;
}

/** Runs the task of a witness once. */
async function ask(own: TrustApp, { name }: Cosigner): Promise<void> {
  const { tasks } = await own.service.background();
  await tasks.find((task) => task.name === `ask ${name}`)?.run();
}

/** The time after which another checkpoint is chosen, in milliseconds. */
const CHOICE_MS = 4000;

/**
 * Finalizes a receipt and publishes a checkpoint, some milliseconds after the one before.
 * @returns the receipt's id
 */
async function grow(own: TrustApp, after = 1000): Promise<string> {
  time.advance(after);
  const { receipt_id } = await finalized(own.own);
  await own.service.trust.log.publisher.publish();
  return String(receipt_id);
}

/**
 * Returns the size of the checkpoint in a receipt's proof, and whether the service says that it is cosigned.
 */
async function proofOf(own: TrustApp, id: string, query = ''): Promise<[size: number, isCosigned: boolean]> {
  const { inclusion_path } = (await own.anyone.get(`/api/v1/receipts/${id}/public-manifest${query}`)).body;
  const { tree_size, cosigned, checkpoint } = Object(inclusion_path);
  const response = await own.fetch(new Request(`http://localhost/api/v1/receipts/${id}/proof${query}`));
  const text = await response.text();
  expect(response.headers.get('cosigned')).toBe(String(cosigned));
  expect(text).toEndWith(checkpoint);
  await provenEntry(own, id);
  return [tree_size, cosigned];
}

const metric = async (own: TrustApp, name: string): Promise<number | undefined> => {
  const { metrics } = await own.service.background();
  const rows = await metrics.find((each) => each.name === name)?.read();
  return rows?.find(({ labels }) => labels.log === 'receipts')?.value;
};

describe('while a log grows all the time,', () => {
  test('a fast and a slow witness are asked for the same checkpoint, which proves the leaves that it covers', async () => {
    const [fast, slow] = [cosigner('fast'), cosigner('slow')];
    slow.isSlow = true;
    const own = await openWith([fast, slow], 'all');
    const ids = [await grow(own)];
    await ask(own, fast);
    ids.push(await grow(own));
    const answered = ask(own, slow);
    await eventually(() => slow.held.length === LOG_NAMES.length);
    for (let turn = 0; turn < 3; turn++) {
      ids.push(await grow(own));
      await ask(own, fast);
      expect(await proofOf(own, ids[0] ?? '')).toEqual([ids.length, false]);
    }
    expect([fast.asked, slow.asked]).toEqual([[1], [1]]);

    slow.release();
    await answered;
    expect(await proofOf(own, ids[0] ?? '')).toEqual([1, true]);
    expect(await proofOf(own, ids[1] ?? '')).toEqual([5, false]);
    expect(await proofOf(own, ids[0] ?? '', '?cosigned=no')).toEqual([5, false]);
    expect(await proofOf(own, ids[0] ?? '', '?cosigned=yes')).toEqual([1, true]);
    // There is no COSE receipt for a tree of one leaf, so it is for the newest one.
    const { response, read } = await coseReceiptOf(own, ids[0] ?? '');
    expect([read?.size, response.headers.get('cosigned')]).toEqual([5, 'false']);

    // The next choice is the newest checkpoint, whoever is asked first.
    slow.isSlow = false;
    await ask(own, slow);
    ids.push(await grow(own));
    await ask(own, fast);
    expect([fast.asked, slow.asked]).toEqual([
      [1, 5],
      [1, 5],
    ]);
    for (const id of ids.slice(0, 5)) expect(await proofOf(own, id)).toEqual([5, true]);
    expect(await proofOf(own, ids[5] ?? '')).toEqual([6, false]);
  });

  test('a witness that never answers delays neither publication nor the quorum of others', async () => {
    const [fast, silent] = [cosigner('fast'), cosigner('silent')];
    silent.isSlow = true;
    const own = await openWith([fast, silent], 'any');
    const waiting = ask(own, silent);
    await eventually(() => silent.held.length === LOG_NAMES.length);
    await ask(own, fast);
    for (let size = 1; size <= 5; size++) {
      const id = await grow(own, CHOICE_MS);
      await ask(own, fast);
      expect(await proofOf(own, id)).toEqual([size, true]);
    }
    silent.release();
    await waiting;
  });

  test('a quorum that a silent witness prevents holds a checkpoint for five seconds, and its late answer counts', async () => {
    const [fast, silent] = [cosigner('fast'), cosigner('silent')];
    silent.isSlow = true;
    const own = await openWith([fast, silent], 'all');
    const first = await grow(own);
    await ask(own, fast);
    const waiting = ask(own, silent);
    await eventually(() => silent.held.length === LOG_NAMES.length);
    const second = await grow(own);
    time.advance(3999);
    await ask(own, fast);
    expect(fast.asked).toEqual([1]);
    time.advance(1);
    await ask(own, fast);
    expect(fast.asked).toEqual([1, 2]);

    silent.release();
    await waiting;
    expect(await proofOf(own, first)).toEqual([1, true]);
    expect(await proofOf(own, second)).toEqual([2, false]);
    // A clock that is set back keeps no choice.
    time.advance(-3_600_000);
    await grow(own);
    await ask(own, fast);
    expect(fast.asked).toEqual([1, 2, 3]);
  });

  test('the note of the newest cosigned checkpoint is there for those who ask for it', async () => {
    const witness = cosigner('w');
    const own = await openWith([witness], 'all');
    const noteOf = async (query: string) => {
      const response = await own.fetch(new Request(`http://localhost/log/receipts/checkpoint${query}`));
      const text = await response.text();
      return [response.headers.get('cosigned'), text.split('\n')[1], text.includes('— w.example')];
    };
    await grow(own);
    expect(await noteOf('?cosigned=yes')).toEqual(['false', '1', false]);
    await ask(own, witness);
    await grow(own);
    expect(await noteOf('')).toEqual(['false', '2', false]);
    expect(await noteOf('?cosigned=no')).toEqual(['false', '2', false]);
    expect(await noteOf('?cosigned=yes')).toEqual(['true', '1', true]);
    expect((await own.anyone.get('/log/receipts/checkpoint?cosigned=1')).status).toBe(400);
  });

  test('a choice stays for four seconds, also if it meets the quorum at once', async () => {
    const witness = cosigner('w');
    const own = await openWith([witness], 'all');
    await grow(own);
    await ask(own, witness);
    await finalized(own.own);
    await own.service.trust.log.publisher.publish();
    time.advance(CHOICE_MS - 1);
    await ask(own, witness);
    expect(witness.asked).toEqual([1]);
    time.advance(1);
    await ask(own, witness);
    expect(witness.asked).toEqual([1, 2]);
  });

  test('a witness that cosigned a newer checkpoint for a stranger is asked for the newest at once', async () => {
    const [prey, silent] = [cosigner('prey'), cosigner('silent')];
    silent.isSlow = true;
    const own = await openWith([prey, silent], 'all');
    await grow(own);
    const waiting = ask(own, silent);
    await eventually(() => silent.held.length === LOG_NAMES.length);
    for (let size = 2; size <= 4; size++) await grow(own);
    prey.cosignedFor = 3;
    await ask(own, prey);
    // The old choice with an unknown old size, then the newest from the size that the witness has cosigned.
    expect(prey.asked).toEqual([1, 4]);
    expect(own.logged()).not.toContain('"reason":"conflict"');
    const { note } = own.service.trust.log.publisher.latest('receipts').response;
    expect(note).toContain('prey.example');

    // Where the stranger is always faster, the witness counts as failing.
    prey.cosignedFor = 6;
    for (let size = 5; size <= 6; size++) await grow(own);
    prey.whenAsked = () => {
      prey.cosignedFor++;
    };
    time.advance(5000);
    await grow(own);
    await grow(own);
    await ask(own, prey);
    expect(own.logged()).toMatch(/"log":"receipts","reason":"conflict"/);
    silent.release();
    await waiting;
  });

  test('without a quorum every witness is asked for the newest checkpoint, and none counts as cosigned', async () => {
    const witness = cosigner('w');
    const own = await openWith([witness], 'none');
    for (let size = 1; size <= 3; size++) {
      const id = await grow(own, CHOICE_MS);
      await ask(own, witness);
      expect(await proofOf(own, id)).toEqual([size, false]);
    }
    expect(witness.asked).toEqual([1, 2, 3]);
    expect(await metric(own, 'countersign_log_quorum_met')).toBeUndefined();
    expect(await metric(own, 'countersign_log_cosigned_age_seconds')).toBeUndefined();
  });

  test('the quorum counts as met until a checkpoint has waited for it for a minute', async () => {
    const witness = cosigner('w');
    const own = await openWith([witness], 'all');
    const isMet = () => metric(own, 'countersign_log_quorum_met');
    const age = () => metric(own, 'countersign_log_cosigned_age_seconds');
    time.advance(7000);
    expect([await isMet(), await age()]).toEqual([0, 7]);
    await grow(own);
    await ask(own, witness);
    expect([await isMet(), await age()]).toEqual([1, 0]);
    // A log that does not grow stays cosigned.
    time.advance(500_000);
    await ask(own, witness);
    expect([await isMet(), await age()]).toEqual([1, 500]);
    witness.refuses = true;
    await grow(own);
    await ask(own, witness);
    time.advance(59_000);
    await grow(own);
    expect(await isMet()).toBe(1);
    time.advance(1);
    expect([await isMet(), await age()]).toEqual([0, 561.001]);
    witness.refuses = false;
    time.advance(10_000);
    await ask(own, witness);
    expect(await isMet()).toBe(1);
  });
});

describe('after a restart,', () => {
  test('an earlier checkpoint is still the cosigned one, as far as the policy of this start says', async () => {
    const [a, b] = [cosigner('a'), cosigner('b')];
    const data = join(directory, 'data');
    const reopened = async (quorum: string) => {
      await app?.close();
      app = null;
      return openWith([a, b], quorum, data);
    };
    let own = await openWith([a, b], 'any', data);
    const first = await grow(own);
    await ask(own, a);
    const second = await grow(own);
    a.refuses = true;
    own = await reopened('any');
    expect(await proofOf(own, first)).toEqual([1, true]);
    expect(await proofOf(own, second)).toEqual([2, false]);
    expect(await metric(own, 'countersign_log_quorum_met')).toBe(1);

    own = await reopened('all');
    expect(await proofOf(own, first)).toEqual([2, false]);
    expect(await metric(own, 'countersign_log_quorum_met')).toBe(0);
    own = await reopened('none');
    expect(await proofOf(own, first)).toEqual([2, false]);

    // A witness that has the larger tree cosigns the newest checkpoint.
    own = await reopened('any');
    await ask(own, b);
    expect(await proofOf(own, first)).toEqual([2, true]);
    expect(await proofOf(own, second)).toEqual([2, true]);
  });
});

test('after a compromise of the log key, proofs use the newest checkpoint until the witnesses know the new key', async () => {
  const witness = cosigner('w');
  const own = await openWith([witness], 'all');
  const id = await grow(own);
  await ask(own, witness);
  expect(await proofOf(own, id)).toEqual([1, true]);
  const { trust } = own.service;
  const { checkpointSeq } = trust.log.publisher.latest('receipts');
  await reportCompromised(trust, trust.log.publisher.latest('receipts').response.kid);
  await trust.log.publisher.publish();
  expect(trust.log.publisher.latest('receipts').checkpointSeq).not.toBe(checkpointSeq);
  expect(await proofOf(own, id)).toEqual([1, false]);
  time.advance(CHOICE_MS);
  await ask(own, witness);
  expect(await proofOf(own, id)).toEqual([1, true]);
});

describe('the query of a proof', () => {
  test.each(['cosigned=maybe', 'cosigned=', 'cosigned=no&cosigned=yes', 'cosigned=NO', 'witnessed=no'])(
    '%s is refused',
    async (query) => {
      const own = await openTrustApp({}, time);
      app = own;
      const id = await grow(own);
      for (const path of ['public-manifest', 'proof']) {
        const { status, body } = await own.anyone.get(`/api/v1/receipts/${id}/${path}?${query}`);
        expect([path, status, body.reason_code]).toEqual([path, 400, 'validation_error']);
        const [name = ''] = query.split('=');
        expect(Object.keys(Object(body.issues))).toContain(name);
      }
    },
  );
});

test('a service without a policy proves with its newest checkpoint, which is not cosigned', async () => {
  const own = await openTrustApp({}, time);
  app = own;
  const id = await grow(own);
  await grow(own);
  for (const query of ['', '?cosigned=yes', '?cosigned=no'])
    expect(await proofOf(own, id, query)).toEqual([2, false]);
});
