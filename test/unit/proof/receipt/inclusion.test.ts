import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { encodeBase64 } from '../../../../src/proof/encoding/base64.ts';
import type { JsonObject, JsonValue } from '../../../../src/proof/encoding/json.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { type LogProof, LogProofError, readLogProof } from '../../../../src/proof/log/log-proof.ts';
import { parseNote } from '../../../../src/proof/log/note.ts';
import { checkInclusion } from '../../../../src/proof/receipt/inclusion.ts';
import type { Receipt } from '../../../../src/proof/receipt/receipt.ts';
import { keyRow, leafOf, signedReceipt, smallLog, testKey } from '../../../support/small-log.ts';
import { example, KEYS, payload } from '../../../support/worked-example.ts';
import { asDocument, without } from './signed-receipts.ts';

const { receipt } = example;
const postQuantum = testKey(4, 'ML-DSA-44');
const keys = readLogKeys(nativePrimitives, {
  keys: [keyRow(KEYS.log, 'receipts-log'), keyRow(postQuantum, 'receipts-log')],
  log: { origin: 'receipts.example/keys' },
}).trusted;
const log = smallLog(example.log.origin, example.log.entries, [KEYS.log, postQuantum]);
const text = log.proof(example.index);
const manifest = log.manifest(example.index);
const path: JsonObject = Object(manifest.inclusion_path);
const readText = (proof: string) => readLogProof(nativePrimitives, Buffer.from(proof));
const readJson = (value: JsonValue) => readText(JSON.stringify(value));
const check = (proof: LogProof, of: Receipt = receipt) => checkInclusion(nativePrimitives, of, proof, keys);
const position = { log: log.origin, index: example.index };
const tree = { log: log.origin, tree_size: 3, signed_at: new Date(1_780_000_000_000).toISOString() };

describe('a proof that a log holds a receipt', () => {
  test('is read in either form as the same', () => {
    const proof = readText(text);
    expect(proof).toMatchObject({
      entry: log.entries[example.index],
      index: example.index,
      checkpoint: log.checkpoint,
    });
    expect(readJson(manifest)).toEqual(proof);
    expect(readJson({ ...manifest, receipt_id: 'another', note: 1 })).toEqual(proof);
  });

  test.each<[string, string, string]>([
    ['nothing', '', 'it is empty: save the response of GET /api/v1/receipts/<id>/proof'],
    ['no leaf', text.replace(/extra .*\n/, ''), 'has no extra data'],
    ['a leaf that is not UTF-8', text.replace(/extra .*\n/, 'extra /w==\n'), 'UTF-8'],
    ['no JSON', '{', 'not JSON'],
    ['a member twice', '{"a":1,"a":2}', 'twice'],
    ['no path', '{}', 'so it is neither a public manifest nor a bundle: save'],
  ])('is none with %s', (_, proof, message) => {
    expect(() => readText(proof)).toThrow(LogProofError);
    expect(() => readText(proof)).toThrow(message);
  });

  test('is none in bytes that are no UTF-8', () => {
    for (const bytes of [Buffer.of(0x7b, 0xff), Buffer.of(0xff)]) {
      expect(() => readLogProof(nativePrimitives, bytes)).toThrow('the proof is not UTF-8');
    }
  });

  test.each<[string, JsonValue, string]>([
    [
      'none yet, and says why',
      { inclusion_path: null, inclusion_reason: 'It is pending.' },
      'It is pending.',
    ],
    ['none', { inclusion_path: null }, 'without an inclusion_path'],
    ['without leaf_entry', { inclusion_path: without(path, 'leaf_entry') }, 'has no valid leaf_entry'],
    ['without checkpoint', { inclusion_path: { ...path, checkpoint: 1 } }, 'has no valid checkpoint'],
    ['with no note', { inclusion_path: { ...path, checkpoint: 'a' } }, 'the note has'],
    [
      'with no checkpoint',
      { inclusion_path: { ...path, checkpoint: 'a\n\n— a AAAAAAA=\n' } },
      'the size of the',
    ],
    ['of another log', { inclusion_path: { ...path, log: 'a' } }, 'do not match its checkpoint'],
    ['of another size', { inclusion_path: { ...path, tree_size: 4 } }, 'do not match its checkpoint'],
    ['of another hash', { inclusion_path: { ...path, leaf_hash: 'ab' } }, 'do not match its checkpoint'],
    ['without leaf_index', { inclusion_path: without(path, 'leaf_index') }, 'has no valid leaf_index'],
    ['without hashes', { inclusion_path: without(path, 'hashes') }, 'has no valid leaf_index or hashes'],
    ['with a hash of no bytes', { inclusion_path: { ...path, hashes: [''] } }, 'base64 of 32 bytes'],
    ['with a hash that is no text', { inclusion_path: { ...path, hashes: [1] } }, 'base64 of 32 bytes'],
  ])('in a manifest is refused: %s', (_, value, message) => {
    expect(() => readJson(value)).toThrow(LogProofError);
    expect(() => readJson(value)).toThrow(message);
  });

  test('a fault of the caller is no proof', () => {
    const broken = {
      ...nativePrimitives,
      sha256: () => {
        throw new RangeError('broken');
      },
    };
    expect(() => readLogProof(broken, Buffer.from(JSON.stringify(manifest)))).toThrow('broken');
    expect(() => checkInclusion(broken, receipt, readText(text), keys)).toThrow('broken');
  });
});

describe('a log is shown to hold a receipt', () => {
  test('whose leaf leads to a root that is signed', () => {
    expect(check(readText(text))).toMatchObject({ check: 'ok', problem: null, position, tree });
    expect(
      check(readText(text), JSON.parse(JSON.stringify(without(asDocument(receipt), 'kid')))),
    ).toMatchObject({
      check: 'ok',
      position,
    });
  });

  test('as it was finalized, though it was revoked since; but that version has no position', () => {
    const revoked = signedReceipt(KEYS.receipts, { ...payload(1), revocation_status: 'revoked' });
    expect(check(readText(text), revoked)).toMatchObject({
      check: 'ok',
      problem: null,
      position: null,
      tree,
    });
    const another = signedReceipt(KEYS.receipts, {
      ...payload(1),
      revocation_status: 'revoked',
      agent_id: 'x',
    });
    expect(check(readText(text), another)).toMatchObject({ check: 'mismatch', position: null });
  });

  test.each<[string, Receipt, string]>([
    ['another receipt', signedReceipt(KEYS.receipts, payload(2)), 'it is a proof for another receipt'],
    ['another version', signedReceipt(KEYS.receipts, { ...payload(1), agent_id: 'x' }), 'another version'],
    ['another signature', { ...receipt, signature: 'ab'.repeat(64) }, 'another version'],
    ['another key', { ...receipt, kid: KEYS.log.kid }, 'another version'],
  ])('and not %s', (_, other, problem) => {
    expect(check(readText(text), other)).toMatchObject({
      check: 'mismatch',
      problem: expect.stringContaining(problem),
      position: null,
    });
  });

  test.each<[string, Partial<LogProof>, string]>([
    ['another index', { index: 0 }, 'do not lead'],
    ['an index beyond the tree', { index: 3 }, 'do not lead'],
    ['half an index', { index: 0.5 }, 'do not lead'],
    ['no path', { path: [] }, 'do not lead'],
    ['another leaf of the log', { entry: log.entries[0] ?? '' }, 'do not lead'],
    ['a leaf that is none', { entry: '{}' }, 'the leaf is not a receipt entry'],
    ['no note', { checkpoint: '' }, 'the note has'],
    ['no checkpoint', { checkpoint: 'a\n\n— a AAAAAAA=\n' }, 'the size of the checkpoint'],
    [
      'a checkpoint of nobody',
      { checkpoint: smallLog('a/receipts', ['b'], [testKey(9)]).checkpoint },
      'no trusted key',
    ],
    [
      'a checkpoint of another tree',
      { checkpoint: smallLog(log.origin, ['b', 'c', 'd'], [KEYS.log]).checkpoint },
      'do not lead',
    ],
  ])('not by a proof with %s', (_, change, problem) => {
    expect(check({ ...readText(text), ...change })).toMatchObject({
      check: 'bad',
      problem: expect.stringContaining(problem),
      position: null,
    });
  });

  test('but the tree is named that the key of the log signed, whatever else is wrong', () => {
    const { tree } = check(readText(text));
    const [own, revocation] = [readText(text), log.entries.map((entry) => entry.replace('final', 'un'))];
    const other = readText(smallLog(log.origin, revocation, [KEYS.log]).proof(1));
    expect(tree).toMatchObject({ log: log.origin, tree_size: 3 });
    expect(check({ ...own, index: 0 })).toMatchObject({ check: 'bad', tree });
    expect(check(other)).toMatchObject({ check: 'bad', tree: { ...tree, signed_at: null } });
    expect(check({ ...own, checkpoint: 'none' })).toMatchObject({ check: 'bad', tree: null });
  });

  test('not by a leaf of the log of revocations, even if the key of the log of receipts signs it', () => {
    const { kid, content_hash, signature, receipt_id } = receipt;
    const leaf = leafOf(receipt, '2026-05-01T12:00:01.000Z').replace('finalized_at', 'revoked_at');
    const revocations = smallLog('receipts.example/revocations', [leaf], [KEYS.log]);
    expect(leaf).toContain(kid + content_hash.slice(0, 0));
    expect([signature, receipt_id].every((said) => leaf.includes(said))).toBe(true);
    expect(check(readText(revocations.proof(0)))).toMatchObject({ check: 'bad' });
  });

  test('not by the log of evidence, even if its own key signs an entry of the receipt', () => {
    const ofEvidence = testKey(6);
    const { trusted } = readLogKeys(nativePrimitives, {
      keys: [keyRow(KEYS.log, 'receipts-log'), keyRow(ofEvidence, 'evidence-log')],
    });
    const evidence = smallLog(
      'receipts.example/evidence',
      [leafOf(receipt, '2026-05-01T12:00:01.000Z')],
      [ofEvidence],
    );
    expect(checkInclusion(nativePrimitives, receipt, readText(evidence.proof(0)), trusted)).toMatchObject({
      check: 'bad',
      problem: 'the checkpoint belongs to receipts.example/evidence, which is not a log of receipts',
      position: null,
      tree: null,
    });
  });
});

/** Returns the relevant parts of a proof: all but the signature lines of unknown keys. */
const essence = ({ checkpoint, ...proof }: LogProof) => ({
  ...proof,
  path: proof.path.map(encodeBase64),
  text: parseNote(Buffer.from(checkpoint)).text,
});

test('no change of any byte of a proof makes it say anything else', () => {
  const known = essence(readText(text));
  const bytes = Buffer.from(text);
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }), (at, value) => {
      fc.pre(bytes[at] !== value);
      const changed = Uint8Array.from(bytes);
      changed[at] = value;
      let proof: LogProof;
      try {
        proof = readLogProof(nativePrimitives, changed);
      } catch (error) {
        expect(error).toBeInstanceOf(LogProofError);
        return;
      }
      // A line whose name or key id was changed is that of another key, and passed over.
      if (check(proof).check === 'ok') expect(essence(proof)).toEqual(known);
    }),
    { numRuns: 1500 },
  );
});

test('no change of any member of an inclusion path makes it say anything else', () => {
  const known = essence(readJson(manifest));
  const spoilt = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(...Object.values(path)),
    fc.integer({ min: -2, max: 9 }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(path)), spoilt, (member, value) => {
      const changed = {
        ...manifest,
        inclusion_path: { ...path, [member]: JSON.parse(JSON.stringify(value)) },
      };
      let proof: LogProof;
      try {
        proof = readJson(changed);
      } catch (error) {
        expect(error).toBeInstanceOf(LogProofError);
        return;
      }
      if (check(proof).check === 'ok') expect(essence(proof)).toEqual(known);
    }),
    { numRuns: 1000 },
  );
});
