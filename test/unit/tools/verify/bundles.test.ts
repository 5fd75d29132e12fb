import { afterAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../../../../src/proof/encoding/json.ts';
import type { CommandOptions } from '../../../../src/tools/verify/options/by-document.ts';
import { scratch } from '../../../support/process.ts';
import { hasPython, runPython, runsOfPython } from '../../../support/python.ts';
import { VECTORS } from '../../../support/vectors.ts';
import { argumentsOf } from '../../../support/verdicts/arguments.ts';
import { saidByProgram } from '../../../support/verdicts/program.ts';

const files = scratch();
afterAll(() => files.dispose());
const NOW = Date.parse('2026-06-01T12:01:00.000Z');
const A_YEAR_LATER = Date.parse('2027-06-01T12:01:00.000Z');
const COMMON = 'receipts.example';
const pathOf = (name: string): string => join(VECTORS, 'receipt-bundle', name);
const KEYS = pathOf('keys.json');
const read = (name: string) => JSON.parse(readFileSync(pathOf(`${name}.json`), 'utf8'));
const bundles = {
  final: read('final'),
  linked: read('linked'),
  pending: read('pending'),
  revoked: read('revoked'),
  compromised: read('compromised'),
  ended: read('compromised-before'),
};
let written = 0;
const saved = (text: string): string => {
  const path = join(files.path, String(written++));
  writeFileSync(path, text);
  return path;
};

/** What both verifiers say of a file; the sentences of a problem are each one's own. */
async function said(text: string, options: CommandOptions = {}, now = NOW) {
  const vector = { document: saved(text), options: { keys: KEYS, ...options }, now };
  const { code, stdout, stderr } = await saidByProgram(vector);
  if (hasPython) {
    const whole = { ...vector, directory: '', name: '', stated: {} };
    const [run] = await runsOfPython([{ args: argumentsOf(whole), now: now / 1000 }]);
    expect([run?.code, linesIn(run?.stdout ?? '')]).toEqual([code, linesIn(stdout)]);
  }
  const found = linesIn(stdout);
  const open = found.flatMap(({ not_checked = [] }) => not_checked.map(({ check = '' }) => check));
  const sentences = found.flatMap(({ sentence = [] }) => sentence);
  const without = found.map(
    ({ not_checked: _, sentence: __, signer: ___, signers: ____, trees: _____, ...line }) => line,
  );
  const cited = found.map(({ signer, signers, trees }) => ({ signer, signers, trees }));
  const results = found.map(({ isTold: _, not_checked: __, sentence: ___, ...line }) => line);
  return { code, stderr, open, sentences, lines: without, cited, results };
}

/** The lines of a list, or the verdict of a document. */
function linesIn(stdout: string) {
  const lines = stdout.startsWith('{\n') ? [stdout] : stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const { problems, checks: _, ...others } = Object(parseJson(line));
    return stdout.startsWith('{\n')
      ? { verdict: others.verdict, sentence: others.sentence }
      : { ...others, ...(problems !== undefined && { isTold: problems.length > 0 }) };
  });
}

const lines = (...documents: readonly unknown[]): string =>
  documents.map((one) => `${JSON.stringify(one)}\n`).join('');

describe('a file with many bundles', () => {
  const { final, linked, pending, revoked, compromised, ended } = bundles;

  test('is verified line by line, receipts among them', async () => {
    const {
      code,
      lines: found,
      open,
    } = await said(lines(final, linked, pending, final.receipt, compromised));
    expect(open).toEqual(['proof', 'quorum', 'revocation']);
    expect([code, found]).toEqual([
      0,
      [{ checked: 5, valid: 5, verdicts: { valid: 5 }, revocation: 'not_checked', old_statuses: 0 }],
    ]);
  });

  test('may begin with a receipt', async () => {
    const { code, lines: found } = await said(lines(final.receipt, final));
    expect([code, found]).toEqual([
      0,
      [{ checked: 2, valid: 2, verdicts: { valid: 2 }, revocation: 'not_checked', old_statuses: 0 }],
    ]);
  });

  test('names each bundle of which something is wrong', async () => {
    const swapped = { ...final, status: pending.status };
    const another = { ...final, key_events: ended.key_events };
    const list = lines(final, swapped, revoked, { ...final, note: 'x' }, ended, another, final);
    const { code, lines: found } = await said(list);
    const ids = [final, revoked].map(({ receipt }) => receipt.receipt_id);
    expect(code).toBe(1);
    expect(found).toEqual([
      { line: 2, receipt_id: ids[0], verdict: 'valid', authentic: true, isTold: true },
      { line: 3, receipt_id: ids[1], verdict: 'revoked', authentic: true, isTold: true },
      { line: 4, receipt_id: ids[0], verdict: 'malformed', authentic: false, isTold: true },
      { line: 5, receipt_id: ids[0], verdict: 'key_compromised', authentic: false, isTold: false },
      { line: 6, receipt_id: ids[0], verdict: 'key_compromised', authentic: false, isTold: false },
      {
        checked: 7,
        valid: 2,
        verdicts: { malformed: 1, revoked: 1, key_compromised: 2, valid: 3 },
        revocation: 'revoked',
        old_statuses: 0,
      },
    ]);
  });

  test('judges the events of each by the keys that signed it', async () => {
    const { kid: _, ...anonymous } = final.receipt;
    const events = [...final.key_events].reverse();
    const own = { ...final, key_events: events };
    const others = [null, 'other', linked.status.content_hash].map((kid) => ({
      ...own,
      receipt: { ...anonymous, kid },
    }));
    const list = [...others, { ...own, receipt: anonymous }, own, ...others, { ...own, receipt: anonymous }];
    expect((await said(lines(...list))).lines.at(-1)).toMatchObject({
      checked: 9,
      valid: 3,
      verdicts: { malformed: 2, key_unknown: 4, valid: 3 },
    });
  });

  test('says of all who signed them and the logs that they cite, and of each that is not valid its own', async () => {
    const swapped = { ...final, status: pending.status };
    const { cited, stderr } = await said(lines(final, swapped, linked, { receipt: 1 }, 'x'));
    const [ofSwapped, ofUnsigned, ofText, ofAll] = cited;
    const key_log = `${COMMON}/keys`;
    const signer = { issuer: null, is_only_claimed: false, kid: final.receipt.kid, key_log };
    const logs = (trees: readonly { log: string; tree_size: number }[] = []) =>
      trees.map(({ log, tree_size }) => `${log.slice(COMMON.length + 1)} ${tree_size}`);
    expect(ofSwapped?.signer).toEqual(signer);
    expect(logs(ofSwapped?.trees)).toEqual(['keys 10', 'receipts 3']);
    expect(ofUnsigned).toMatchObject({ signer: { kid: null, is_only_claimed: true }, trees: [] });
    expect(ofText).toEqual({ signer: undefined, signers: undefined, trees: [] });
    expect(ofAll?.signers).toEqual([signer]);
    expect(logs(ofAll?.trees)).toEqual(['accounts 4', 'keys 10', 'receipts 3']);
    expect(stderr).toContain(`  log: ${COMMON}/receipts has 3 entries, signed without a time\n`);
    expect(stderr).toContain(`  signer: a service that the list of keys does not name, key ${signer.kid}; `);
  });

  test('has the results that test/vectors/receipt-bundle states', async () => {
    const [list = '', stated = ''] = ['list.ndjson', 'list-results.ndjson'].map((name) =>
      readFileSync(pathOf(name), 'utf8'),
    );
    expect((await said(list)).results).toEqual(linesIn(stated));
  });

  test('says how many statuses are old', async () => {
    const list = lines(final, linked);
    const { code, lines: found, stderr } = await said(list, {}, A_YEAR_LATER);
    expect([code, found]).toEqual([
      0,
      [{ checked: 2, valid: 2, verdicts: { valid: 2 }, revocation: 'ok', old_statuses: 2 }],
    ]);
    expect(stderr).toContain('in the log; not revoked (2 as of an old status). Not checked: ');
    expect((await said(list, { fresh: true }, A_YEAR_LATER)).lines.at(-1)).toMatchObject({
      valid: 0,
      revocation: 'not_checked',
      old_statuses: 0,
    });
  });

  test('has no receipt where only a bundle can show what is asked', async () => {
    const list = lines(final, final.receipt);
    expect((await said(list)).code).toBe(0);
    const { code, lines: found } = await said(list, { fresh: true });
    expect([code, found]).toEqual([
      1,
      [
        expect.objectContaining({ line: 2, verdict: 'valid', isTold: true }),
        expect.objectContaining({ checked: 2, valid: 1 }),
      ],
    ]);
  });

  test('has the quorum of each checked with a policy', async () => {
    const witnessed = read('witnessed');
    const policy = pathOf('two.txt');
    expect((await said(lines(witnessed, witnessed), { policy })).code).toBe(0);
    expect((await said(lines(witnessed, final), { policy })).lines.at(-1)).toMatchObject({
      valid: 1,
      verdicts: { valid: 2 },
    });
  });

  test('needs keys, and has no options of one bundle or of receipts', async () => {
    const list = lines(final, final);
    for (const options of [
      { keys: undefined, policy: pathOf('logs.txt') },
      { proof: KEYS },
      { status: KEYS },
      { log: files.path },
    ])
      expect((await said(list, options)).code).toBe(2);
    expect((await said(lines(final.receipt, final), { fresh: true })).code).toBe(2);
    expect((await said(lines(final.receipt, final), { policy: pathOf('two.txt') })).code).toBe(2);
  });
});

const MALFORMED = {
  lines: [{ verdict: 'malformed' }],
  sentences: ['malformed: This is not a well-formed receipt.'],
};

describe('a hostile bundle', () => {
  const { final } = bundles;

  test('with thousands of key events is malformed', async () => {
    const key_events = Array.from({ length: 20_000 }, () => final.key_events[0]);
    const found = await said(JSON.stringify({ ...final, key_events }));
    expect(found).toMatchObject({ code: 1, ...MALFORMED });
  });

  test('that is nested deeply is no document', async () => {
    const depth = 100_000;
    const text = `{"type":"receipt-bundle","receipt":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(await said(text)).toMatchObject(MALFORMED);
    const last = (await said(`${lines(final)}${text}\n`)).lines.at(-1);
    expect(last).toMatchObject({ checked: 2, verdicts: { malformed: 1, valid: 1 } });
  });

  test('of 100 MB is refused with a sentence', () => {
    const path = join(files.path, 'large');
    const hash = `"${Buffer.alloc(32).toString('base64')}",`;
    const { hashes: _, ...proof } = final.proof;
    const [before = '', after = ''] = JSON.stringify({
      ...final,
      proof: { ...proof, hashes: ['HERE'] },
    }).split('"HERE"');
    writeFileSync(path, before + hash.repeat(100e6 / hash.length) + hash.slice(0, -1) + after);
    const main = join(import.meta.dir, '../../../../src/main.ts');
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, main, 'verify', path, '--keys', KEYS], {
      timeout: 60_000,
    });
    expect([exitCode, stderr.toString()]).toEqual([
      1,
      expect.stringContaining('the input is larger than a receipt can be'),
    ]);
    if (!hasPython) return;
    const run = runPython(path, '--keys', KEYS);
    expect([run.code, run.stderr]).toEqual([
      1,
      expect.stringContaining('the input is larger than a receipt can be'),
    ]);
  }, 180_000);
});
