import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEY_VECTORS, KEY_VECTORS_AT } from '../../../../scripts/vectors/key-log-maker.ts';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { parseJson } from '../../../../src/proof/encoding/json.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { parseLogPolicy } from '../../../../src/proof/log/log-policy.ts';
import { formatVerifierKey, keyIdOf, SIGNATURE_TYPES } from '../../../../src/proof/log/note.ts';
import {
  isKeyDocumentAsAsked,
  judgeKeyDocument,
  type KeyLogCopy,
} from '../../../../src/proof/log-documents/key-document-verdict.ts';
import { storedEntries } from '../../../support/key-log-page.ts';
import { smallLog, testKey } from '../../../support/small-log.ts';

/** The verifier key of a witness that signed nothing. */
const NORTH = (() => {
  const publicKey = new Uint8Array(Buffer.from(testKey(0x61).public_key, 'hex'));
  const type = SIGNATURE_TYPES.cosignature;
  const keyId = keyIdOf(nativePrimitives, 'north.example', type, publicKey);
  return formatVerifierKey({ name: 'north.example', type, publicKey, keyId });
})();

const fileOf = (name: string): Buffer => readFileSync(join(KEY_VECTORS, name));
const logOf = (name: string): KeyLogCopy => ({
  checkpoint: fileOf(`${name}/keys/checkpoint`),
  entries: storedEntries(name),
});
const { trusted } = readLogKeys(nativePrimitives, parseJson(fileOf('keys.json').toString()));
const judged = (log: KeyLogCopy, others: object = {}, document: Uint8Array = fileOf('small.json')) =>
  judgeKeyDocument(nativePrimitives, document, {
    logKeys: trusted,
    log,
    now: Date.parse(KEY_VECTORS_AT),
    ...others,
  });

test('a list from before a restart leads to the log of keys that continues', () => {
  const list = fileOf('keys.json').toString();
  const of = (former: string, document = 'restarted') => {
    const log = { origin: `${former}/keys` };
    const { trusted: logKeys } = readLogKeys(nativePrimitives, { ...Object(JSON.parse(list)), log });
    return judged(logOf(document), { logKeys }, fileOf(`${document}.json`)).verdict;
  };
  expect(['first.example', 'second.example', 'elsewhere.example'].map((name) => of(name))).toEqual([
    'valid',
    'valid',
    'wrong_log',
  ]);
  expect(of('first.example', 'restarted-without-an-event')).toBe('lost_events');
});

describe('a list of keys', () => {
  test('is refused with any character of an entry or of the checkpoint changed', () => {
    const log = logOf('small');
    const flipped = (bytes: Uint8Array, at: number): Uint8Array => {
      const copy = new Uint8Array(bytes);
      copy[at] = (copy[at] ?? 0) ^ 1;
      return copy;
    };
    for (const [index, entry] of log.entries.entries())
      for (let at = 0; at < entry.length; at += 37) {
        const entries = log.entries.with(index, flipped(entry, at));
        expect(judged({ ...log, entries }).verdict).toBe('bad_log');
      }
    for (let at = 0; at < log.checkpoint.length; at++)
      expect(judged({ ...log, checkpoint: flipped(log.checkpoint, at) }).verdict).not.toBe('valid');
  });

  test('is refused with an entry that is not UTF-8, and without a log', () => {
    const log = logOf('small');
    const { problems } = judged({ ...log, entries: [...log.entries, Buffer.of(0xff)] });
    expect(problems).toEqual(['entry 15 is not an entry of a key log: it is not UTF-8']);
    expect(judged({ checkpoint: new Uint8Array(), entries: [] }).verdict).toBe('bad_checkpoint');
  });

  test('is refused if the log is of another origin, or not of keys', () => {
    const { entries } = logOf('small');
    const texts = entries.map((entry) => Buffer.from(entry).toString());
    const elsewhere = (origin: string): KeyLogCopy => ({
      checkpoint: Buffer.from(smallLog(origin, texts, [testKey(4)]).checkpoint),
      entries,
    });
    expect(judged(elsewhere('elsewhere.example/keys')).problems).toEqual([
      expect.stringMatching(/^the checkpoint of the key log: wrong_log: elsewhere\.example\/keys: /),
    ]);
    const both = ['elsewhere.example/keys', 'receipts.example/keys'].flatMap((origin) =>
      trusted.map((key) => ({ ...key, log: { origin } })),
    );
    expect(judged(elsewhere('elsewhere.example/keys'), { logKeys: both }).problems).toEqual([
      'the document is about receipts.example/keys, and the key log is elsewhere.example/keys',
    ]);
    const own = trusted.map((key) => ({ ...key, log: { origin: 'receipts.example/other' } }));
    const { problems } = judged(elsewhere('receipts.example/other'), { logKeys: [...trusted, ...own] });
    expect(problems).toEqual(['the checkpoint of the key log: receipts.example/other is not a log of keys']);
  });

  test('is malformed with text that is not JSON, or another type', () => {
    for (const text of ['', '[]', '{"keys":[],"log":{},"type":"x"}', '{"keys":[{"kid":"a"}],"log":{}}'])
      expect(judged(logOf('small'), {}, Buffer.from(text)).verdict).toBe('malformed');
  });

  test('is not proven without the quorum of a policy', () => {
    const north = `witness north ${NORTH}\nquorum north\n`;
    for (const [text, check] of [
      [north, 'missing'],
      ['quorum none\n', 'none'],
    ] as const) {
      const policy = { policy: parseLogPolicy(nativePrimitives, text), logKeys: trusted };
      const result = judged(logOf('small'), { policy });
      expect([result.verdict, result.checks.quorum]).toEqual(['valid', check]);
      expect(isKeyDocumentAsAsked(result)).toBe(check === 'none');
      const refused = judged({ checkpoint: new Uint8Array(), entries: [] }, { policy });
      expect(refused.checks.quorum).toBe('unchecked');
      expect(judged(logOf('small'), { policy }, Buffer.from('{}')).checks.quorum).toBe('unchecked');
    }
  });
});
