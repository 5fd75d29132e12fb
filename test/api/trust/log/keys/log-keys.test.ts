import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import { loadKeyPair } from '../../../../../src/platform/crypto/key-files.ts';
import { signNote } from '../../../../../src/platform/tlog/note-signing.ts';
import type { LogSource } from '../../../../../src/platform/tlog/source.ts';
import { verifierKeyOf } from '../../../../../src/platform/tlog/verifier-key.ts';
import { keyLogProblems } from '../../../../../src/proof/log/key-log.ts';
import { readKeyEntry } from '../../../../../src/proof/log/log-entry.ts';
import { type LogName, originOf } from '../../../../../src/proof/log/log-names.ts';
import { formatNote, parseNote } from '../../../../../src/proof/log/note.ts';
import { openOwnCheckpoint } from '../../../../../src/trust/log/checkpoints/sign.ts';
import { activateDueKeys } from '../../../../../src/trust/log/keys/activate-due.ts';
import { appendNewKeysIn } from '../../../../../src/trust/log/keys/log/key-events.ts';
import { keyLeavesOf } from '../../../../../src/trust/log/keys/log/leaves.ts';
import { reportCompromised } from '../../../../../src/trust/log/keys/report-compromised.ts';
import { rotate } from '../../../../../src/trust/log/keys/rotate.ts';
import type { SigningKey } from '../../../../../src/trust/log/keys/signing/signer.ts';
import { allKeys, insertKeys } from '../../../../../src/trust/log/keys/store.ts';
import { recoverLogs } from '../../../../../src/trust/log/recovery/recover.ts';
import { trustModules } from '../../../../../src/trust/service/modules.ts';
import { withServiceStopped } from '../../../../../src/trust/service/open-context.ts';
import { finalized, latest } from '../../../../support/log.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const LOG = pino({ level: 'silent' });
const ORIGIN = 'localhost:3000';
let root: string;
let data: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'countersign-log-keys-'));
  data = join(root, 'data');
});
afterEach(() => rmSync(root, { recursive: true }));

async function served<T>(task: (app: TrustApp) => Promise<T>): Promise<T> {
  const app = await openTrustApp({ 'keys.publish_ahead_seconds': '0' }, null, data);
  try {
    return await task(app);
  } finally {
    await app.close();
  }
}

const publish = (app: TrustApp) => app.service.trust.log.publisher.publish();

/** Returns a note with the same text, signed by other keys. */
function signedBy(note: string, origin: string, keys: readonly SigningKey[]): string {
  const { text } = parseNote(Buffer.from(note));
  const seconds = Math.floor(Date.now() / 1000);
  const signatures = keys.map((key) => signNote(key.privateKey, verifierKeyOf(key, origin), text, seconds));
  return formatNote({ text, signatures });
}

describe("the service's own checkpoint of one log", () => {
  test("is refused with the signatures of another log's keys", async () => {
    await served(async ({ service: { trust }, anyone }) => {
      const log = trust.log.open.receipts;
      const note = String((await latest(anyone)).body.note);
      expect(openOwnCheckpoint(trust.signer, log, note).checkpoint.origin).toBe(`${ORIGIN}/receipts`);
      const forged = signedBy(note, log.origin, trust.signer.logKeys('revocations', Date.now()));
      expect(() => openOwnCheckpoint(trust.signer, log, forged)).toThrow(
        'no trusted key has signed the checkpoint',
      );
    });
  });
});

test.each(['Ed25519', 'ML-DSA-44'] as const)(
  'after a compromise of its %s key, a log that does not grow has a checkpoint by the new key at once, also after a restart',
  async (algorithm) => {
    const keyIds = (app: TrustApp): number[] => {
      const { ownNote } = app.service.trust.log.publisher.latest('revocations');
      return parseNote(Buffer.from(ownNote)).signatures.map(({ keyId }) => keyId);
    };
    const idsOfKeys = ({ service: { trust } }: TrustApp): number[] =>
      trust.signer
        .logKeys('revocations', Date.now())
        .map((key) => verifierKeyOf(key, `${ORIGIN}/revocations`).keyId);
    await served(async (app) => {
      const { trust } = app.service;
      await publish(app);
      const [of] = trust.signer
        .logKeys('revocations', Date.now())
        .filter((key) => key.algorithm === algorithm);
      await reportCompromised(trust, of?.kid ?? '');
      expect(keyIds(app)).not.toEqual(idsOfKeys(app));
      // The process ends before the next round.
    });
    await served(async (app) => {
      await publish(app);
      expect(keyIds(app)).toEqual(idsOfKeys(app));
      const { checkpointSeq } = app.service.trust.log.publisher.latest('revocations');
      await publish(app);
      expect(app.service.trust.log.publisher.latest('revocations').checkpointSeq).toBe(checkpointSeq);
    });
  },
);

describe('a key that the key log does not have yet', () => {
  test("is added by the key log's key", async () => {
    await served(async ({ service: { trust } }) => {
      const pair = trust.signer.generate({ algorithm: 'Ed25519' });
      const { kid, algorithm, publicKey } = pair;
      const validFrom = '2026-05-01T12:00:00.000Z';
      await trust.store.writeAsService(async (tx) => {
        await insertKeys(tx, [
          { kid, algorithm, publicKey, purpose: 'revocations-log', status: 'next', validFrom },
        ]);
        trust.signer.reload(await allKeys(tx));
        await appendNewKeysIn(tx, trust.log.open, trust);
      });
      const leaves = await trust.store.read((snapshot) => keyLeavesOf(snapshot, 0, 1000));
      const entries = leaves.map(({ entry }, index) => ({ entry: readKeyEntry(entry), index }));
      const { entry } = entries.at(-1) ?? {};
      expect([entry?.kid, entry?.event, entry?.signatures.map((by) => by.kid)]).toEqual([
        kid,
        'added',
        [trust.signer.activeKey('keys-log').kid, kid],
      ]);
      expect(keyLogProblems(nativePrimitives, entries)).toEqual([]);
    });
  });
});

describe('a data directory whose database names keys of a log', () => {
  test.each(['receipts-log', 'keys-log', 'revocations-log'])(
    'does not start without those of %s in keys/',
    async (purpose) => {
      const kids = await served(async ({ service }) =>
        service.trust.signer
          .all()
          .filter((key) => key.purpose === purpose)
          .map(({ kid }) => kid),
      );
      expect(kids).toHaveLength(2);
      for (const kid of kids) {
        const aside = join(root, kid);
        const file = join(data, 'keys', `${kid}.pem`);
        cpSync(file, aside);
        rmSync(file);
        await expect(served(async () => undefined)).rejects.toThrow(`${kid}.pem is missing`);
        cpSync(aside, file);
      }
      await served(async (app) => void (await latest(app.anyone)));
    },
  );
});

describe('the recovery of a key log from a copy', () => {
  /** Copies the data directory with its keys, and puts an older database into the copy. */
  function rolledBack(backup: string): string {
    const other = join(root, 'rolled-back');
    cpSync(data, other, { recursive: true, filter: (path) => !/-(wal|shm)$|lock$|\.sock$/.test(path) });
    cpSync(backup, join(other, 'trust.db'));
    return other;
  }

  /** The logs of a running service, with other bytes for some paths. */
  const sourceOf = (app: TrustApp, instead: Record<string, string> = {}): LogSource => ({
    location: 'the copy',
    async read(path) {
      const other = instead[path];
      if (other !== undefined) return Buffer.from(other);
      const response = await app.fetch(new Request(`http://localhost/log/${path}`));
      if (!response.ok) throw new Error(`${path}: status ${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    },
  });

  const recovered = (directory: string, source: LogSource) =>
    withServiceStopped(directory, new Map(), LOG, trustModules, (context, path) =>
      recoverLogs(context, path, source, () => undefined),
    );

  async function backedUp(): Promise<string> {
    await served(async (app) => {
      await finalized(app.own);
      await publish(app);
    });
    const backup = join(root, 'backup');
    cpSync(join(data, 'trust.db'), backup);
    return backup;
  }

  test('restores rotations and compromises of every purpose, and the logs go on with the right keys', async () => {
    const backup = await backedUp();
    const { kids, keys } = await served(async (app) => {
      const { trust } = app.service;
      for (const purpose of ['receipts-log', 'revocations-log', 'credentials'] as const)
        await rotate(trust, purpose);
      await activateDueKeys(trust);
      await reportCompromised(trust, trust.signer.activeKey('keys-log').kid);
      await reportCompromised(trust, trust.signer.activeKey('receipts-log').kid);
      await finalized(app.own);
      await publish(app);
      const other = rolledBack(backup);
      const { body } = await app.anyone.get('/api/v1/transparency/keys');
      await recovered(other, sourceOf(app));
      return { kids: trust.signer.all().map(({ kid }) => kid), keys: Object(body.keys) };
    });
    data = join(root, 'rolled-back');
    await served(async (app) => {
      const { body } = await app.anyone.get('/api/v1/transparency/keys');
      expect(app.service.trust.signer.all().map(({ kid }) => kid)).toEqual(kids);
      const endsOf = (rows: { kid: string; status: string; valid_until: string | null }[]) =>
        rows.map(({ kid, status, valid_until }) => [kid, status, valid_until]);
      expect(endsOf(Object(body.keys))).toEqual(endsOf(keys));
      for (const name of ['receipts', 'keys', 'revocations']) {
        await publish(app);
        const { checks } = await latest(app.anyone, name);
        expect([name, checks.every(({ verified }) => verified)]).toEqual([name, true]);
      }
    });
  });

  test.each<[LogName, 'credentials' | 'keys-log' | 'receipts-log' | 'revocations-log']>([
    ['receipts', 'credentials'],
    ['receipts', 'revocations-log'],
    ['keys', 'receipts-log'],
    ['revocations', 'keys-log'],
  ])('refuses a checkpoint of %s by a key of %s that the backup does not know', async (name, purpose) => {
    const backup = await backedUp();
    await served(async (app) => {
      const { trust } = app.service;
      const [kid = ''] = await rotate(trust, purpose);
      await finalized(app.own);
      await publish(app);
      const next = trust.signer.all().find((key) => key.kid === kid);
      if (next === undefined) throw new Error(`there is no key ${kid}`);
      expect(loadKeyPair(join(data, 'keys'), 'Ed25519', kid).publicKey).toBe(next.publicKey);
      const forged = signedBy(String((await latest(app.anyone, name)).body.note), originOf(ORIGIN, name), [
        next,
      ]);
      const other = rolledBack(backup);
      await expect(recovered(other, sourceOf(app, { [`${name}/checkpoint`]: forged }))).rejects.toThrow(
        `is not a valid one of ${ORIGIN}/${name}`,
      );
      // With the real checkpoint, the same copy is taken.
      expect((await recovered(other, sourceOf(app))).keys.recovered).toBeGreaterThan(0);
    });
  });
});

test('the keys of a log are rotated only while a checkpoint has room for all that sign, and for all witnesses', async () => {
  const time = new VirtualTime();
  const app = await openTrustApp({ 'keys.publish_ahead_seconds': '0' }, time);
  const { trust } = app.service;
  const linesOf = async () => {
    await publish(app);
    return parseNote(Buffer.from(trust.log.publisher.latest('evidence').response.note)).signatures.length;
  };
  try {
    for (let replaced = 1; replaced <= 15; replaced++) {
      await rotate(trust, 'evidence-log');
      time.advance(86_400_000);
    }
    expect(await linesOf()).toBe(32);
    await expect(rotate(trust, 'evidence-log')).rejects.toThrow(
      '15 replaced keys for evidence-log still sign every checkpoint, and a checkpoint has room for no more',
    );
    // Other logs have room, a stolen key is replaced at once, and so is any key when the first of the
    // replaced ones has ended.
    await rotate(trust, 'keys-log');
    await reportCompromised(trust, trust.signer.activeKey('evidence-log').kid);
    expect(await linesOf()).toBe(32);
    time.advance(15 * 86_400_000);
    await rotate(trust, 'evidence-log');
    expect(await linesOf()).toBe(32);
  } finally {
    await app.close();
  }
});
