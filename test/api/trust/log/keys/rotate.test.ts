import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import fc from 'fast-check';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import { bytesToHex, hexToBytes } from '../../../../../src/proof/encoding/hex.ts';
import { keyLogProblems } from '../../../../../src/proof/log/key-log.ts';
import { type KeyEntry, keyEntryMessage, readKeyEntry } from '../../../../../src/proof/log/log-entry.ts';
import { LOG_NAMES, type LogName } from '../../../../../src/proof/log/log-names.ts';
import { parseVerifierKey, SIGNATURE_TYPES } from '../../../../../src/proof/log/note.ts';
import { decodeEntries } from '../../../../../src/proof/log/tiles.ts';
import { activateDueKeys } from '../../../../../src/trust/log/keys/activate-due.ts';
import { reportCompromised } from '../../../../../src/trust/log/keys/report-compromised.ts';
import { rotate } from '../../../../../src/trust/log/keys/rotate.ts';
import { REQUIRED_KEYS } from '../../../../../src/trust/log/keys/signing-keys.ts';
import { concurrently } from '../../../../support/client.ts';
import { localAdministrator } from '../../../../support/local-administrator.ts';
import { finalized, latest, provenEntry, SUCCESS } from '../../../../support/log.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

interface Key {
  kid: string;
  purpose: string;
  algorithm: string;
  status: string;
  public_key: string;
  valid_from: string;
  valid_until: string | null;
  log_index: number | null;
  receipts_logs: string[];
  receipts_tree_size: number | null;
}

const HOUR = 3_600_000;
let app: TrustApp;
let time: VirtualTime;

beforeEach(async () => {
  time = new VirtualTime();
  app = await openTrustApp({}, time);
});
afterEach(() => app.close());

async function keys(purpose: string): Promise<Key[]> {
  const { body } = await app.anyone.get('/api/v1/transparency/keys');
  const rows: Key[] = Object(body.keys);
  return rows.filter((key) => key.purpose === purpose);
}

/** The entries of the key log, each of whose signatures verifies by a key that the log has named. */
async function keyLog(): Promise<KeyEntry[]> {
  await app.service.trust.log.publisher.publish();
  const { tree_size } = (await latest(app.anyone, 'keys')).body;
  const bundle = await app.fetch(new Request(`http://localhost/log/keys/tile/entries/000.p/${tree_size}`));
  const entries = decodeEntries(new Uint8Array(await bundle.arrayBuffer())).map((bytes) =>
    readKeyEntry(new TextDecoder().decode(bytes)),
  );
  const named = new Map(entries.map((entry) => [entry.kid, entry]));
  for (const { signatures, ...said } of entries) {
    const message = keyEntryMessage(nativePrimitives, said);
    for (const { kid, signature } of signatures) {
      const { algorithm = '', public_key = '' } = named.get(kid) ?? {};
      const [bytes, key] = [hexToBytes(signature), hexToBytes(public_key)];
      const isGood =
        algorithm === 'Ed25519'
          ? nativePrimitives.ed25519Verify(bytes, message, key)
          : nativePrimitives.mlDsa44Verify?.(bytes, message, key);
      expect([said.event, kid, isGood]).toEqual([said.event, kid, true]);
    }
  }
  return entries;
}

/**
 * What the key log says after the entries of the first start, two for each key: the event, of which key, and
 * who signed.
 */
async function stepsSinceTheStart(): Promise<unknown[]> {
  const later = (await keyLog()).slice(2 * REQUIRED_KEYS.length);
  return later.map(({ event, kid, signatures }) => [event, kid, signatures.map((by) => by.kid)]);
}

const publicKey = async () => (await app.anyone.get('/api/v1/public-key')).body;

describe('rotation of a key:', () => {
  test('the next key is published two hours before it signs; then it takes over, and the old one is retired', async () => {
    const before = await finalized(app.own);
    const pending = (await app.own.issue()).body;
    const [old] = await keys('receipts');
    const { audience } = await publicKey();
    const [next] = await rotate(app.service.trust, 'receipts');
    expect(await publicKey()).toMatchObject({
      kid: old?.kid,
      rotation: {
        next_kid: next,
        next_valid_from: new Date(time.now() + 2 * HOUR).toISOString(),
        previous: [],
      },
    });
    await expect(rotate(app.service.trust, 'receipts')).rejects.toThrow(/already published/);
    time.advance(2 * HOUR - 1);
    await activateDueKeys(app.service.trust);
    expect((await finalized(app.own)).kid).toBe(old?.kid ?? '');
    time.advance(1);
    await activateDueKeys(app.service.trust);

    expect(await publicKey()).toMatchObject({
      kid: next,
      audience,
      rotation: {
        next_kid: null,
        previous: [{ kid: old?.kid, valid_until: new Date(time.now()).toISOString() }],
      },
    });
    const after = await finalized(app.own);
    expect(after.kid).toBe(next);
    expect(await keys('receipts')).toMatchObject([
      { kid: old?.kid, status: 'retired', receipts_logs: ['localhost:3000/receipts'], receipts_tree_size: 2 },
      { kid: next, status: 'active', receipts_logs: [], receipts_tree_size: null },
    ]);
    // What was issued under the old key is finalized under the new one.
    expect((await app.own.finalize(pending.receipt_id, SUCCESS)).body.kid).toBe(next);
    await app.service.trust.log.publisher.publish();
    for (const { receipt_id } of [before, after, pending]) {
      await provenEntry(app, receipt_id);
      const { body } = await app.anyone.get(`/api/v1/receipts/${receipt_id}/public-manifest`);
      expect(body.verification).toEqual({
        status: 'valid',
        checks: { hash: 'ok', signature: 'ok', key: 'trusted' },
      });
    }
  });

  test('the service activates the next key within a second of its time, and writes nothing before', async () => {
    const job = (await app.service.background()).tasks.find(({ name }) => name === 'activate keys');
    expect(job?.everyMs).toBeLessThanOrEqual(1000);
    const [next = ''] = await rotate(app.service.trust, 'receipts');
    const writes = spyOn(app.service.trust.store, 'writeAlone');
    await job?.run();
    expect(writes).not.toHaveBeenCalled();
    time.advance(2 * HOUR);
    await job?.run();
    expect([writes.mock.calls.length, (await publicKey()).kid]).toEqual([1, next]);
  });

  test('every step is an entry of the key log, signed by the old key and the new', async () => {
    const [{ kid: old } = { kid: '' }] = await keys('receipts');
    const [next = ''] = await rotate(app.service.trust, 'receipts');
    time.advance(2 * HOUR);
    await activateDueKeys(app.service.trust);
    const steps = await stepsSinceTheStart();
    expect(steps).toEqual([
      ['added', next, [old, next]],
      ['retired', old, [old, next]],
      ['activated', next, [old, next]],
    ]);
  });

  test('the old keys of a log also sign its checkpoints for thirty days', async () => {
    const old = (await keys('receipts-log')).map(({ kid }) => kid);
    const { audience } = await publicKey();
    expect(audience).toBe(`localhost:3000+${old[0]}`);
    expect(await rotate(app.service.trust, 'receipts-log')).toHaveLength(2);
    time.advance(2 * HOUR);
    await activateDueKeys(app.service.trust);
    const signers = async () => {
      await finalized(app.own);
      await app.service.trust.log.publisher.publish();
      const { body, checks } = await latest(app.anyone);
      expect(checks.every(({ verified }) => verified)).toBe(true);
      return { kid: body.kid, types: checks.map(({ key }) => key.type) };
    };
    const { ed25519, mlDsa44 } = SIGNATURE_TYPES;
    const during = await signers();
    expect(during.types).toEqual([ed25519, mlDsa44, ed25519, mlDsa44]);
    expect(old).not.toContain(String(during.kid));
    time.advance(30 * 24 * HOUR);
    expect((await signers()).types).toEqual([ed25519, mlDsa44]);
    expect((await publicKey()).audience).toBe(audience);
  });

  test('the keys of one log leave those of the other logs as they are', async () => {
    const others = LOG_NAMES.filter((name) => name !== 'revocations');
    const kidsOf = async () => {
      await app.service.trust.log.publisher.publish();
      return Promise.all(others.map(async (name) => String((await latest(app.anyone, name)).body.kid)));
    };
    const before = await kidsOf();
    expect(new Set(before).size).toBe(others.length);
    const { kid } = (await latest(app.anyone, 'revocations')).body;
    await rotate(app.service.trust, 'revocations-log');
    time.advance(2 * HOUR);
    await activateDueKeys(app.service.trust);
    expect(await kidsOf()).toEqual(before);
    const { body, checks } = await latest(app.anyone, 'revocations');
    expect([body.kid === kid, checks.length, checks.every(({ verified }) => verified)]).toEqual([
      false,
      4,
      true,
    ]);
    const rows = (await Promise.all(REQUIRED_KEYS.map(({ purpose }) => keys(purpose)))).flat();
    const retired = rows.filter(({ status }) => status === 'retired').map(({ purpose }) => purpose);
    expect(new Set(retired)).toEqual(new Set(['revocations-log']));
  });

  test("each log's vkeys are its own keys, of this and the next pair", async () => {
    await rotate(app.service.trust, 'keys-log');
    const lines = async (name: LogName) => {
      const response = await app.fetch(new Request(`http://localhost/log/${name}/vkeys`));
      const text = await response.text();
      return text
        .trim()
        .split('\n')
        .map((line) => parseVerifierKey(nativePrimitives, line.replace('log ', '')));
    };
    const all = await Promise.all(LOG_NAMES.map(lines));
    expect(all.map((keys) => keys.length)).toEqual(LOG_NAMES.map((name) => (name === 'keys' ? 4 : 2)));
    const publicKeys = all.flat().map(({ publicKey }) => bytesToHex(publicKey));
    expect(new Set(publicKeys).size).toBe(2 * LOG_NAMES.length + 2);
    for (const [index, name] of LOG_NAMES.entries()) {
      const rows = await keys(`${name}-log`);
      expect(all[index]?.map(({ publicKey }) => bytesToHex(publicKey)).sort()).toEqual(
        rows.map(({ public_key }) => public_key).sort(),
      );
    }
  });

  test('under load no receipt is signed by a key whose time has ended in the log', async () => {
    await rotate(app.service.trust, 'receipts');
    time.advance(2 * HOUR);
    const issued = await concurrently(
      Array.from({ length: 300 }),
      32,
      async () => (await app.own.issue()).body,
    );
    const load = concurrently(issued, 64, ({ receipt_id }) => app.own.finalize(receipt_id, SUCCESS));
    await activateDueKeys(app.service.trust);
    await load;
    const size =
      (await keys('receipts')).find(({ status }) => status === 'retired')?.receipts_tree_size ?? -1;
    await app.service.trust.log.publisher.publish();
    const { body } = await publicKey().then((response) => ({ body: response }));
    for (const { receipt_id } of issued) {
      const manifest = (await app.anyone.get(`/api/v1/receipts/${receipt_id}/public-manifest`)).body;
      const { leaf_index } = Object(manifest.inclusion_path);
      expect([leaf_index, manifest.kid === body.kid]).toEqual([leaf_index, leaf_index >= size]);
      expect(Object(manifest.verification).status).toBe('valid');
    }
    expect(size).toBeLessThan(300);
  });

  test('two rotations at once publish one next key', async () => {
    const both = await Promise.allSettled([
      rotate(app.service.trust, 'credentials'),
      rotate(app.service.trust, 'credentials'),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await keys('credentials')).map(({ status }) => status).sort()).toEqual(['active', 'next']);
  });
});

describe('the compromise of a key', () => {
  test('ends a key at once: its successor signs, and what it signs from here on counts for nothing', async () => {
    const before = await finalized(app.own);
    const pending = (await app.own.issue()).body;
    await app.service.trust.log.publisher.publish();
    const kid = String(before.kid);
    const successor = await reportCompromised(app.service.trust, kid);
    expect((await publicKey()).kid).toBe(successor);
    expect(await keys('receipts')).toMatchObject([
      { kid, status: 'compromised', receipts_tree_size: 1, valid_until: new Date(time.now()).toISOString() },
      { kid: successor, status: 'active' },
    ]);
    const [logKey] = await keys('keys-log');
    const steps = await stepsSinceTheStart();
    expect(steps).toEqual([
      ['added', successor, [logKey?.kid, successor]],
      ['compromised', kid, [logKey?.kid]],
      ['activated', successor, [logKey?.kid, successor]],
    ]);
    // The receipt that stood in the log before stays good; one that only its own signature dates does not.
    const verdictOf = async (id: unknown) =>
      Object((await app.anyone.get(`/api/v1/receipts/${id}/public-manifest`)).body.verification).status;
    expect(await verdictOf(before.receipt_id)).toBe('valid');
    expect(await verdictOf(pending.receipt_id)).toBe('key_compromised');
    expect((await app.own.finalize(pending.receipt_id, SUCCESS)).body.kid).toBe(String(successor));
    expect(await verdictOf(pending.receipt_id)).toBe('valid');
    await expect(reportCompromised(app.service.trust, kid)).rejects.toThrow(/already reported/);
  });

  test("that is the key log's lets its successor speak, and it signs no checkpoint any more", async () => {
    const [logKey] = await keys('keys-log');
    const successor = await reportCompromised(app.service.trust, String(logKey?.kid));
    const steps = await stepsSinceTheStart();
    // The key log's other key cross-signs it: a key that only signed itself is not trusted.
    const other = app.service.trust.signer
      .all()
      .find(({ purpose, algorithm }) => purpose === 'keys-log' && algorithm === 'ML-DSA-44')?.kid;
    expect(steps).toEqual([
      ['added', successor, [other, successor]],
      ['compromised', logKey?.kid, [successor]],
      ['activated', successor, [other, successor]],
    ]);
    await finalized(app.own);
    await app.service.trust.log.publisher.publish();
    const { body, checks } = await latest(app.anyone, 'keys');
    expect([body.kid, checks.length]).toEqual([successor, 2]);
  });

  test.each(REQUIRED_KEYS.map(({ purpose, algorithm }) => [purpose, algorithm] as const))(
    'for %s, %s, is reported by the key log, and its successor is cross-signed',
    async (purpose, algorithm) => {
      const find = async (status: string) =>
        (await keys(purpose)).find((key) => key.algorithm === algorithm && key.status === status)?.kid;
      const [record, twin] = (await keys('keys-log')).map((key) => key.kid);
      const old = await find('active');
      const successor = await reportCompromised(app.service.trust, String(old));
      expect([await find('active'), await find('compromised')]).toEqual([String(successor), old]);
      const isRecord = old === record;
      const other = isRecord ? twin : record;
      const steps = await stepsSinceTheStart();
      expect(steps).toEqual([
        ['added', successor, [other, successor]],
        ['compromised', old, [isRecord ? successor : record]],
        ['activated', successor, [other, successor]],
      ]);
      const entries = (await keyLog()).map((entry, index) => ({ entry, index }));
      expect(keyLogProblems(nativePrimitives, entries)).toEqual([]);
      // The compromised key signs no checkpoint of any log from here on.
      await finalized(app.own);
      await app.service.trust.log.publisher.publish();
      const publicKey = (await keys(purpose)).find(({ kid }) => kid === old)?.public_key;
      for (const name of LOG_NAMES) {
        const { checks } = await latest(app.anyone, name);
        if (`${name}-log` === purpose && algorithm === 'Ed25519')
          expect(checks.map(({ key }) => bytesToHex(key.publicKey))).not.toContain(String(publicKey));
        expect([name, checks.length, checks.every(({ verified }) => verified)]).toEqual([name, 2, true]);
      }
    },
  );

  test('of both keys of the key log, one after the other, leaves each successor cross-signed', async () => {
    for (const { kid } of await keys('keys-log')) await reportCompromised(app.service.trust, kid);
    const entries = (await keyLog()).map((entry, index) => ({ entry, index }));
    expect(keyLogProblems(nativePrimitives, entries)).toEqual([]);
    expect((await keys('keys-log')).map(({ status }) => status).sort()).toEqual([
      'active',
      'active',
      'compromised',
      'compromised',
    ]);
  });

  test('that is published and not yet in use keeps it from ever being used', async () => {
    const [next = ''] = await rotate(app.service.trust, 'receipts');
    expect(await reportCompromised(app.service.trust, next)).toBeNull();
    time.advance(2 * HOUR);
    await activateDueKeys(app.service.trust);
    expect((await publicKey()).kid).not.toBe(next);
    expect(await rotate(app.service.trust, 'receipts')).not.toContain(next);
  });

  test('takes the published next key where there is one', async () => {
    const [old] = await keys('receipts');
    const [next = ''] = await rotate(app.service.trust, 'receipts');
    expect(await reportCompromised(app.service.trust, String(old?.kid))).toBe(next);
    expect((await publicKey()).kid).toBe(next);
  });

  test('of an unknown key is refused', async () => {
    await expect(reportCompromised(app.service.trust, 'nobody')).rejects.toThrow(
      /No signing key has the kid nobody/,
    );
  });
});

/**
 * Of a key: when it was activated, by its row and by the key log, and the earliest date of what it signed.
 */
interface Activation {
  kid: string;
  status: string;
  valid_from: string;
  activated: string | null;
  signed: string | null;
}

function activations(): Promise<Activation[]> {
  return app.service.trust.store.read(({ connection: { sqlite } }) =>
    sqlite
      .query<Activation, []>(
        `SELECT kid, status, valid_from,
           (SELECT json_extract(entry, '$.at') FROM key_leaf l WHERE l.key_seq = k.key_seq AND event = 'activated') AS activated,
           (SELECT min(at) FROM (
              SELECT signed_at AS at FROM receipt_version v WHERE v.key_seq = k.key_seq
              UNION ALL SELECT issued_at FROM checkpoint c WHERE c.key_seq = k.key_seq)) AS signed
         FROM signing_key k ORDER BY key_seq`,
      )
      .all(),
  );
}

describe('valid_from', () => {
  test('of the keys of a first start is what the key log says', async () => {
    const rows = await activations();
    expect(rows).toHaveLength(REQUIRED_KEYS.length);
    for (const { valid_from, activated } of rows) expect(String(activated)).toBe(valid_from);
  });

  test('of a next key that takes over because of a compromise is that moment, not the planned one', async () => {
    const [old] = await keys('receipts');
    const [next = ''] = await rotate(app.service.trust, 'receipts');
    time.advance(HOUR);
    const now = new Date(time.now()).toISOString();
    await reportCompromised(app.service.trust, String(old?.kid));
    expect(await publicKey()).toMatchObject({
      kid: next,
      valid_from: now,
      rotation: { next_valid_from: null },
    });
    const activated = (await activations()).find(({ kid }) => kid === next)?.activated;
    expect(String(activated)).toBe(now);
    const { body } = await app.own.issue();
    expect(String(body.issued_at) >= now).toBe(true);
  });

  test('of a next key that takes over late, since nobody served, is when it did', async () => {
    const [next = ''] = await rotate(app.service.trust, 'receipts');
    time.advance(5 * HOUR);
    await activateDueKeys(app.service.trust);
    expect(await publicKey()).toMatchObject({ kid: next, valid_from: new Date(time.now()).toISOString() });
  });

  test('goes back with a clock that was set back, to what the key signs first', async () => {
    const before = await publicKey();
    time.advance(-HOUR);
    expect(await publicKey()).toMatchObject({ valid_from: before.valid_from });
    const { body } = await app.own.issue();
    expect(await publicKey()).toMatchObject({ kid: before.kid, valid_from: body.issued_at });
    time.advance(HOUR / 2);
    await app.own.issue();
    expect(await publicKey()).toMatchObject({ valid_from: body.issued_at });
    const status = (await app.anyone.get(`/api/v1/receipts/${body.receipt_id}/status`)).body;
    const [credentials] = await keys('credentials');
    expect(credentials?.kid).toBe(String(status.kid));
    expect(String(credentials?.valid_from) <= String(status.checked_at)).toBe(true);
  });

  test('is never after what the key signed or the log says, whatever is done in whatever order', async () => {
    const purpose = fc.constantFrom('receipts' as const, 'receipts-log' as const, 'keys-log' as const);
    const step = fc.oneof(
      fc.record({
        act: fc.constant('rotate' as const),
        purpose,
        ahead: fc.constantFrom(0, HOUR, 2 * HOUR),
      }),
      fc.record({
        act: fc.constant('compromise' as const),
        purpose,
        status: fc.constantFrom('active', 'next', 'retired'),
      }),
      fc.record({ act: fc.constant('wait' as const), ms: fc.constantFrom(1, HOUR / 2, 3 * HOUR, -HOUR, -7) }),
      fc.record({ act: fc.constant('work' as const) }),
      fc.record({ act: fc.constant('activate' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        await app.close();
        time = new VirtualTime();
        app = await openTrustApp({}, time);
        const { trust } = app.service;
        for (const taken of [...steps, { act: 'work' as const }]) {
          if (taken.act === 'rotate') {
            const isWaiting = (await keys(taken.purpose)).some(({ status }) => status === 'next');
            const rotated = rotate(trust, taken.purpose, taken.ahead);
            await (isWaiting ? expect(rotated).rejects.toThrow(/already published/) : rotated);
          } else if (taken.act === 'compromise') {
            const found = (await keys(taken.purpose)).find(({ status }) => status === taken.status);
            if (found !== undefined) await reportCompromised(trust, found.kid);
          } else if (taken.act === 'wait') {
            // Back as well, as a clock that was set while nobody served: a jump that is known stops
            // rotations.
            time.advance(taken.ms);
          } else if (taken.act === 'activate') await activateDueKeys(trust);
          else {
            await finalized(app.own);
            await trust.log.publisher.publish();
          }
        }
        for (const { kid, status, valid_from, activated, signed } of await activations()) {
          if (activated === null) {
            expect([kid, signed, ['next', 'compromised'].includes(status)]).toEqual([kid, null, true]);
            continue;
          }
          expect([kid, valid_from <= activated]).toEqual([kid, true]);
          expect([kid, valid_from <= (signed ?? '9')]).toEqual([kid, true]);
          // Dated back no further than to what it signed.
          if (valid_from < activated && signed !== null) expect([kid, valid_from]).toEqual([kid, signed]);
        }
        expect((await publicKey()).kid).toBe(trust.signer.activeKey('receipts').kid);
      }),
      { numRuns: 25 },
    );
  }, 180_000);
});

describe('two changes of keys at once:', () => {
  test('a next key that is reported during its activation never signs', async () => {
    const [next = ''] = await rotate(app.service.trust, 'receipts');
    time.advance(2 * HOUR);
    await Promise.all([reportCompromised(app.service.trust, next), activateDueKeys(app.service.trust)]);
    const rows = await keys('receipts');
    expect(rows.find(({ kid }) => kid === next)?.status).toBe('compromised');
    expect(rows.filter(({ status }) => status === 'active')).toHaveLength(1);
    const steps = await stepsSinceTheStart();
    expect(steps.map((row) => Object(row)[0])).toEqual(['added', 'compromised']);
  });

  test('a key that is reported while its successor takes over is compromised, and that one is activated once', async () => {
    const [old] = await keys('receipts');
    const [next = ''] = await rotate(app.service.trust, 'receipts');
    time.advance(2 * HOUR);
    await Promise.all([
      activateDueKeys(app.service.trust),
      reportCompromised(app.service.trust, String(old?.kid)),
    ]);
    const rows = await keys('receipts');
    expect(rows.map(({ kid, status }) => [kid, status])).toEqual([
      [String(old?.kid), 'compromised'],
      [next, 'active'],
    ]);
    const steps = await stepsSinceTheStart();
    expect(steps.map((row) => [Object(row)[0], Object(row)[1]])).toEqual([
      ['added', next],
      ['retired', old?.kid],
      ['activated', next],
      ['compromised', old?.kid],
    ]);
  });

  test('a key that is reported twice at once is reported once', async () => {
    const [old] = await keys('receipts');
    const both = await Promise.allSettled([
      reportCompromised(app.service.trust, String(old?.kid)),
      reportCompromised(app.service.trust, String(old?.kid)),
    ]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect((await keys('receipts')).map(({ status }) => status)).toEqual(['compromised', 'active']);
  });
});

describe('rotation by a command', () => {
  test('with the setting of whoever rotates, or with another lead', async () => {
    const call = await localAdministrator(app);
    const later = await call('rotateKeys', { purpose: 'receipts' });
    expect(later.keys).toMatchObject([
      { status: 'next', valid_from: new Date(time.now() + 2 * HOUR).toISOString() },
    ]);
    const now = await call('rotateKeys', { purpose: 'revocations-log', publish_ahead_seconds: 0 });
    expect(now.keys).toMatchObject([
      { algorithm: 'Ed25519', status: 'active' },
      { algorithm: 'ML-DSA-44', status: 'active' },
    ]);
  });

  test('a next key that is reported ends now, not when it would have become active', async () => {
    const [next = ''] = await rotate(app.service.trust, 'receipts', 2 * HOUR);
    await reportCompromised(app.service.trust, next);
    const row = (await keys('receipts')).find(({ kid }) => kid === next);
    expect(row).toMatchObject({
      status: 'compromised',
      valid_until: new Date(time.now()).toISOString(),
    });
  });

  test('a compromise answers with both keys, or with the one that was not in use', async () => {
    const [next = ''] = await rotate(app.service.trust, 'receipts');
    const call = await localAdministrator(app);
    const unused = await call('reportCompromised', { kid: next });
    expect(unused.keys).toMatchObject([{ kid: next, status: 'compromised' }]);
    const [active] = await keys('receipts');
    const both = await call('reportCompromised', { kid: active?.kid ?? '' });
    expect(both.keys).toMatchObject([{ status: 'compromised' }, { status: 'active' }]);
    await expect(call('rotateKeys', { purpose: 'others' })).rejects.toMatchObject({
      message: expect.stringMatching(/purpose/),
      exitCode: 2,
    });
  });
});
