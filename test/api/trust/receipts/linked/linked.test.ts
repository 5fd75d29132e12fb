import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { nativePrimitives, sha256Hex } from '../../../../../src/platform/crypto/crypto.ts';
import { decodeBase64 } from '../../../../../src/proof/encoding/base64.ts';
import { leafHash, verifyInclusion } from '../../../../../src/proof/log/merkle.ts';
import { openCheckpoint } from '../../../../../src/proof/log/note-signature.ts';
import { setAccountStatus } from '../../../../../src/trust/pages/dashboard/set-account-status.ts';
import { audited } from '../../../../support/audit.ts';
import { type client, DIGEST } from '../../../../support/client.ts';
import { accountEntries, LINKED, link, sequenceProblems } from '../../../../support/linked.ts';
import { finalized, logKeys, SUCCESS } from '../../../../support/log.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

type Caller = ReturnType<typeof client>;

let app: TrustApp;
let ownId: string;

beforeAll(async () => {
  app = await openTrustApp();
  ownId = app.service.firstStart.operatorId;
});
afterAll(() => app.close());

/** The events that `act` appends, with their sequences. */
async function eventsOf(act: () => Promise<unknown>) {
  const { length } = await accountEntries(app);
  await act();
  return (await accountEntries(app, length)).map(({ event }): string => event);
}

async function unlinked(caller: Caller): Promise<void> {
  expect((await link(caller, false)).status).toBe(200);
}

describe('leaves of acts:', () => {
  const scenarios: [string, (caller: Caller) => Promise<unknown>, string[]][] = [
    ['none for an account that is not linked', async (caller) => finalized(caller), []],
    ['linking', async (caller) => link(caller), ['linked']],
    ['linking twice is linking once', async (caller) => [await link(caller), await link(caller)], ['linked']],
    ['unlinking an account that was never linked', async (caller) => link(caller, false), []],
    [
      'linking again',
      async (caller) => [await link(caller), await link(caller, false), await link(caller)],
      ['linked', 'unlinked', 'linked'],
    ],
    [
      'an issue and a finalization',
      async (caller) => [await link(caller), await finalized(caller)],
      ['linked', 'issued', 'finalized'],
    ],
    [
      'the revocation of a pending receipt',
      async (caller) => {
        await link(caller);
        await caller.revoke((await caller.issue()).body.receipt_id);
      },
      ['linked', 'issued', 'revoked'],
    ],
    [
      'a receipt that was pending when the account was linked',
      async (caller) => {
        const { body } = await caller.issue();
        await link(caller);
        await caller.finalize(body.receipt_id, SUCCESS);
        await caller.revoke(body.receipt_id);
      },
      ['linked', 'finalized', 'revoked'],
    ],
    [
      'a receipt that is finalized after the account was unlinked',
      async (caller) => {
        await link(caller);
        const { body } = await caller.issue();
        await link(caller, false);
        await caller.finalize(body.receipt_id, SUCCESS);
      },
      ['linked', 'issued', 'unlinked'],
    ],
    [
      'one leaf for acts that are tried twice',
      async (caller) => {
        await link(caller);
        const { body } = await caller.issue();
        const tries = [0, 1, 2].map(() => caller.finalize(body.receipt_id, SUCCESS));
        expect((await Promise.all(tries)).map(({ status }) => status).sort()).toEqual([200, 409, 409]);
        expect((await caller.revoke(body.receipt_id)).status).toBe(200);
        expect((await caller.revoke(body.receipt_id)).status).toBe(409);
      },
      ['linked', 'issued', 'finalized', 'revoked'],
    ],
    [
      'one leaf for an issue that is repeated with its Idempotency-Key',
      async (caller) => {
        await link(caller);
        const key = { 'idempotency-key': crypto.randomUUID() };
        const body = {
          agent_id: 'agent-7',
          receipt_type: 'custody',
          input_digest: DIGEST,
          authority_scope: 'payments:read',
          domain: 'CODE_GENERATION',
          expiry: '2036-01-31T12:00:00Z',
        };
        const answers = [
          await caller.post('/api/v1/receipts', body, key),
          await caller.post('/api/v1/receipts', body, key),
        ];
        expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      },
      ['linked', 'issued'],
    ],
    [
      'none for a request that is refused',
      async (caller) => {
        await link(caller);
        expect((await caller.issue({ expiry: '2020-01-01T00:00:00Z' })).status).toBe(400);
        expect((await caller.issue({ prev_receipt_hash: DIGEST })).status).toBe(400);
      },
      ['linked'],
    ],
  ];

  test.each(scenarios)('%s', async (_, act, expected) => {
    expect(await eventsOf(() => act(app.own))).toEqual(expected);
    await unlinked(app.own);
  });

  test('say what was signed, by whom and when', async () => {
    const { length } = await accountEntries(app);
    const { body: linking } = await link(app.own);
    const receipt = await finalized(app.own);
    const revoked = await app.own.revoke(receipt.receipt_id);
    const { body: versions } = await app.own.get(`/api/v1/receipts/${receipt.receipt_id}/versions`);
    const entries = await accountEntries(app, length);
    const account = sha256Hex(`linked-account:${ownId}`);
    const agent = sha256Hex(`linked-agent:${ownId}:${receipt.agent_id}`);
    expect(linking).toEqual({ operator_id: ownId, linked: true, account, sequence: entries[0]?.sequence });
    const none = { receipt_id: null, content_hash: null, agent: null, agent_sequence: null };
    expect(entries[0]).toMatchObject({ account, event: 'linked', ...none });
    const signed: { receipt: { content_hash: string }; signed_at: string }[] = Object(versions).versions;
    expect(entries.slice(1).map(({ content_hash }) => content_hash)).toEqual(
      signed.map(({ receipt }) => receipt.content_hash).reverse(),
    );
    expect(entries.slice(1).map(({ at }) => at)).toEqual(signed.map(({ signed_at }) => signed_at).reverse());
    expect(entries.at(-1)?.content_hash).toBe(String(revoked.body.content_hash));
    for (const entry of entries.slice(1))
      expect(entry).toMatchObject({ account, agent, receipt_id: receipt.receipt_id });
    await unlinked(app.own);
  });

  test('of two operators that name one agent have two accounts and two agents', async () => {
    const { length } = await accountEntries(app);
    for (const caller of [app.own, app.other]) {
      await link(caller);
      await finalized(caller, { agent_id: 'agent-of-both' });
    }
    const entries = await accountEntries(app, length);
    expect(new Set(entries.map(({ account }) => account)).size).toBe(2);
    expect(new Set(entries.flatMap(({ agent }) => agent ?? [])).size).toBe(2);
    for (const caller of [app.own, app.other]) await unlinked(caller);
  });

  test('also a suspended operator that revokes gets one', async () => {
    await link(app.other);
    const { receipt_id } = await finalized(app.other);
    const events = await eventsOf(async () => {
      await setAccountStatus(app.service.trust, app.otherId, 'SUSPENDED');
      expect((await link(app.other, false)).status).toBe(403);
      expect((await app.other.revoke(receipt_id)).status).toBe(200);
      await setAccountStatus(app.service.trust, app.otherId, 'ACTIVE');
    });
    expect(events).toEqual(['revoked']);
    await unlinked(app.other);
  });
});

describe('linking', () => {
  test.each<[string, unknown, number]>([
    ['no body', undefined, 400],
    ['no member', {}, 400],
    ['a text', { linked: 'yes' }, 400],
    ['null', { linked: null }, 400],
    ['another member', { linked: true, operator_id: 'op_cus_x' }, 400],
  ])('is refused with %s', async (_, body, status) => {
    expect(await eventsOf(async () => app.own.call('PUT', LINKED, body))).toEqual([]);
    expect((await app.own.call('PUT', LINKED, body)).status).toBe(status);
  });

  test('needs an issuer key', async () => {
    expect((await link(app.anyone)).status).toBe(401);
  });
});

test('any order of acts of two operators gives dense sequences, a leaf for each act, and an audit without problems', async () => {
  const callers = [app.own, app.other];
  const act = fc.record({
    who: fc.nat(1),
    agent: fc.constantFrom('a', 'b', 'c'),
    what: fc.constantFrom('link', 'unlink', 'issue', 'issue', 'finalize', 'finalize', 'revoke'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 40 }), async (acts) => {
      for (const caller of callers) await unlinked(caller);
      const { length } = await accountEntries(app);
      const linked = [false, false];
      const receipts: { who: number; id: unknown; isPending: boolean }[] = [];
      const expected: string[] = [];
      for (const { who, agent, what } of acts) {
        const caller = callers[who] ?? app.own;
        const mine = receipts.filter((receipt) => receipt.who === who);
        if (what === 'link' || what === 'unlink') {
          await link(caller, what === 'link');
          if (linked[who] !== (what === 'link')) expected.push(`${who} ${what}ed`);
          linked[who] = what === 'link';
          continue;
        }
        const one = what === 'issue' ? null : mine.find(({ isPending }) => isPending || what === 'revoke');
        if (one === undefined) continue;
        if (one === null) {
          const { body } = await caller.issue({ agent_id: agent });
          receipts.push({ who, id: body.receipt_id, isPending: true });
          if (linked[who]) expected.push(`${who} issued`);
        } else if (what === 'finalize') {
          await caller.finalize(one.id, SUCCESS);
          one.isPending = false;
          if (linked[who]) expected.push(`${who} finalized`);
        } else {
          expect((await caller.revoke(one.id)).status).toBe(200);
          receipts.splice(receipts.indexOf(one), 1);
          if (linked[who]) expected.push(`${who} revoked`);
        }
      }
      const accounts = [ownId, app.otherId].map((id) => sha256Hex(`linked-account:${id}`));
      const entries = await accountEntries(app, length);
      expect(entries.map(({ account, event }) => `${accounts.indexOf(account)} ${event}`)).toEqual(expected);
    }),
    { numRuns: 30 },
  );
  expect(sequenceProblems(await accountEntries(app))).toEqual([]);
  expect((await audited(app.directory)).reported).toEqual([]);
});

test('concurrent acts of linked accounts have dense sequences', async () => {
  for (const caller of [app.own, app.other]) await link(caller);
  const { length } = await accountEntries(app);
  await Promise.all(Array.from({ length: 60 }, (_, at) => finalized(at % 3 === 0 ? app.other : app.own)));
  const entries = await accountEntries(app);
  expect(entries.length - length).toBe(120);
  expect(sequenceProblems(entries)).toEqual([]);
});

describe('the manifest', () => {
  const leavesOf = async (
    id: unknown,
  ): Promise<{ event: string; leaf_entry: string; inclusion_path: unknown }[]> =>
    Object((await app.anyone.get(`/api/v1/receipts/${id}/public-manifest`)).body).account_leaves;

  test('has no leaves of a receipt whose account was never linked meanwhile', async () => {
    await unlinked(app.own);
    const { receipt_id } = await finalized(app.own);
    await app.service.trust.log.publisher.publish();
    expect(await leavesOf(receipt_id)).toBeUndefined();
  });

  test('proves each leaf of a receipt, also of one that only the last act has', async () => {
    await unlinked(app.own);
    const late = (await app.own.issue()).body.receipt_id;
    await link(app.own);
    const receipt = await finalized(app.own);
    await app.own.finalize(late, SUCCESS);
    await app.own.revoke(receipt.receipt_id);
    await app.service.trust.log.publisher.publish();
    for (const [id, events] of [
      [receipt.receipt_id, ['issued', 'finalized', 'revoked']],
      [late, ['finalized']],
    ] as const) {
      const leaves = await leavesOf(id);
      expect(leaves.map(({ event }) => event)).toEqual([...events]);
      for (const { leaf_entry, inclusion_path } of leaves) {
        const path = Object(inclusion_path);
        expect(path.leaf_entry).toBe(leaf_entry);
        const { checkpoint } = openCheckpoint(
          nativePrimitives,
          Buffer.from(path.checkpoint),
          await logKeys(app.anyone, path.log),
        );
        const proof = {
          leaf: leafHash(nativePrimitives, Buffer.from(leaf_entry)),
          index: path.leaf_index,
          size: checkpoint.size,
          path: path.hashes.map((hash: string) => decodeBase64(hash)),
          root: checkpoint.root,
        };
        expect(verifyInclusion(nativePrimitives, proof)).toBe(true);
        expect(checkpoint.origin).toBe('localhost:3000/accounts');
      }
    }
  });
});

test('the log is published like the others, and a stranger gets its checkpoint and its entries', async () => {
  await app.service.trust.log.publisher.publish();
  const note = await (await app.fetch(new Request('http://localhost/log/accounts/checkpoint'))).text();
  const { length } = await accountEntries(app);
  expect(note.split('\n').slice(0, 2)).toEqual(['localhost:3000/accounts', String(length)]);
  expect((await app.anyone.get('/api/v1/receipts/checkpoints/latest?log=accounts')).status).toBe(200);
});
