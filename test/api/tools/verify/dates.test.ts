import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { type JsonObject, parseJson } from '../../../../src/proof/encoding/json.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { judgeEvidence } from '../../../../src/proof/log-documents/evidence-verdict.ts';
import { judgePackage } from '../../../../src/proof/package/verdict.ts';
import {
  GENERATED_AT,
  packageKeys,
  packageLogs,
  signedPackage,
  unsignedPackage,
} from '../../../support/compliance-package.ts';
import { LOG, log, second } from '../../../support/evidence-items.ts';
import { documentsJudgedByPython, hasPython, packagesJudgedByPython } from '../../../support/python.ts';
import { keyRow, smallLog, testKey } from '../../../support/small-log.ts';

/** Signs with a time, which Ed25519 does not. */
const TIMED = testKey(6, 'ML-DSA-44');
const NOW = Date.parse('2026-06-01T12:30:00.000Z');
const directory = mkdtempSync(join(tmpdir(), 'countersign-dates-'));
afterAll(() => rmSync(directory, { recursive: true }));

const seconds = (time: string, later: number): number => Math.floor(Date.parse(time) / 1000) + later;

describe('a log that signs with a time', () => {
  test.each([
    [-60, 'valid'],
    [-61, 'misdated'],
  ])('has an item of evidence whose date is %p s after that: %s', async (later, verdict) => {
    const at = seconds(second.created_at, later);
    const proof = Buffer.from(smallLog(log.origin, log.entries, [LOG, TIMED], at).proof(1));
    const list = {
      keys: [keyRow(LOG, 'evidence-log'), keyRow(TIMED, 'evidence-log')],
      log: { origin: 'receipts.example/keys' },
    };
    const document = Buffer.from(JSON.stringify(second));
    const { trusted: logKeys } = readLogKeys(nativePrimitives, list);
    const result = judgeEvidence(nativePrimitives, document, { logKeys, proof, now: NOW });
    const check = verdict === 'valid' ? 'ok' : verdict;
    const judged: unknown[] = [result.verdict, result.checks.proof];
    expect(judged).toEqual([verdict, check]);
    if (!hasPython) return;
    const path = join(directory, `${later}.tlog-proof`);
    writeFileSync(path, proof);
    const [said] = await documentsJudgedByPython([
      { document, keys: parseJson(JSON.stringify(list)), now: NOW / 1000, beside: { proof: path } },
    ]);
    expect(said).toMatchObject({ verdict, checks: { proof: check } });
  });

  test.each([
    [60, 'valid'],
    [61, 'misdated'],
  ])('is cited by a package that was generated %p s before that: %s', async (later, verdict) => {
    const unsigned: JsonObject = unsignedPackage('audit');
    const [cited]: JsonObject[] = Object(unsigned.checkpoints);
    const { origin, entries } = packageLogs.evidence;
    const { checkpoint: note } = smallLog(origin, entries, [testKey(6), TIMED], seconds(GENERATED_AT, later));
    const document = Buffer.from(
      JSON.stringify(signedPackage({ ...unsigned, checkpoints: [{ ...cited, note }] })),
    );
    const rows: JsonObject[] = Object(packageKeys.keys);
    const list = { ...packageKeys, keys: [...rows, keyRow(TIMED, 'evidence-log')] };
    const result = judgePackage(nativePrimitives, document, {
      keys: readTrustedKeys(nativePrimitives, list),
      logKeys: readLogKeys(nativePrimitives, list).trusted,
      now: NOW,
    });
    const check = verdict === 'valid' ? 'ok' : verdict;
    const judged: unknown[] = [result.verdict, result.checks.date];
    expect(judged).toEqual([verdict, check]);
    if (!hasPython) return;
    const keys = parseJson(JSON.stringify(list));
    const [said] = await packagesJudgedByPython([{ document, keys, now: NOW / 1000 }]);
    expect(said).toMatchObject({ verdict, checks: { date: check } });
  });
});
