import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  bundleOf,
  COMMON,
  closedRow,
  KEY_DOCUMENT,
  RECEIPTS,
} from '../../../../scripts/vectors/receipt-bundle-parts.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { agentRevocationEntryText, revocationEntryText } from '../../../../src/proof/log/log-entry.ts';
import { formatVerifierKey } from '../../../../src/proof/log/note.ts';
import { bundleRanges, encodeEntries } from '../../../../src/proof/log/tiles.ts';
import type { Receipt } from '../../../../src/proof/receipt/receipt.ts';
import type { CommandOptions } from '../../../../src/tools/verify/options/by-document.ts';
import { comparable } from '../../../support/document-vectors.ts';
import { cosigned, FINAL, POLICY, pendingReceipt, version } from '../../../support/made-account.ts';
import { scratch } from '../../../support/process.ts';
import { hasPython, runsOfPython } from '../../../support/python.ts';
import {
  keyRow,
  rootOfEntries,
  type SmallLog,
  smallLog,
  type TestKey,
  testKey,
  verifierOf,
} from '../../../support/small-log.ts';
import { argumentsOf } from '../../../support/verdicts/arguments.ts';
import { saidByProgram } from '../../../support/verdicts/program.ts';

const files = scratch();
afterAll(() => files.dispose());
const NOW = Date.parse('2026-06-01T12:01:00.000Z');
const SIGNED = NOW / 1000 - 60;
const HOUR = 3_600_000;
const ORIGIN = `${COMMON}/revocations`;
const FORMER = 'former.example/revocations';
const plain = testKey(30);
const timed = testKey(31, 'ML-DSA-44');
const { final, pending, blind, revoked } = RECEIPTS;
const another = version(pendingReceipt(4, Date.parse('2026-05-01T12:00:00.500Z')), FINAL);

let written = 0;
function saved(text: string): string {
  const path = join(files.path, `${written++}.json`);
  writeFileSync(path, text);
  return path;
}

const keyList = (changes: JsonObject = {}, ...rows: JsonObject[]): string =>
  saved(
    JSON.stringify({
      ...KEY_DOCUMENT,
      keys: [
        ...Object(KEY_DOCUMENT.keys),
        keyRow(plain, 'revocations-log'),
        keyRow(timed, 'revocations-log'),
        ...rows,
      ],
      ...changes,
    }),
  );
const keys = keyList();
const policy = saved(POLICY);

const entryOf = ({ receipt_id, content_hash, signature, kid = '' }: Receipt): string =>
  revocationEntryText({ receipt_id, content_hash, signature, kid, revoked_at: '2026-05-02T12:00:00.000Z' });
const ofAgent = agentRevocationEntryText({
  subject_commitment: 'ab'.repeat(32),
  at: '2026-05-02T12:00:00.000Z',
});
const ofFinal = entryOf(version(final, { revocation_status: 'revoked' }));
const ofOther = entryOf(version(another, { revocation_status: 'revoked' }));

/** Writes a copy of a log of revocations. @returns its directory */
function copyOf({ checkpoint, entries }: Pick<SmallLog, 'checkpoint' | 'entries'>): string {
  const directory = join(files.path, `copy-${written++}`);
  const write = (path: string, content: string | Uint8Array): void => {
    const file = join(directory, 'revocations', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  for (const { start, width, path } of bundleRanges(0, entries.length))
    write(path, encodeEntries(entries.slice(start, start + width).map((entry) => Buffer.from(entry))));
  write('checkpoint', checkpoint);
  return directory;
}

const log = (
  entries: readonly string[],
  {
    origin = ORIGIN,
    seconds = SIGNED,
    signers = [plain, timed],
  }: { origin?: string; seconds?: number; signers?: TestKey[] } = {},
): SmallLog => smallLog(origin, entries, signers, seconds);
const many = Array.from({ length: 300 }, () => ofAgent);
const logs = {
  without: copyOf(log([ofAgent, ofOther])),
  with: copyOf(log([...many, ofFinal])),
  empty: copyOf(log([])),
};

/** What both verifiers say of a document, or of the lines of a list. */
async function said(document: string, { at: now = NOW, ...options }: CommandOptions) {
  const vector = { document: saved(document), options: { keys, ...options }, now };
  const { code, stdout, stderr } = await saidByProgram(vector);
  const results = resultsIn(stdout);
  if (hasPython) {
    const whole = { ...vector, directory: '', name: '', stated: {} };
    const [run] = await runsOfPython([{ args: argumentsOf(whole), now: now / 1000 }]);
    expect([run?.code, resultsIn(run?.stdout ?? '')]).toEqual([code, results]);
  }
  return { code, stderr, results: results.map((result) => Object(result)) };
}

/** The result of one document, or the lines of a list, without the sentences that are each one's own. */
function resultsIn(stdout: string) {
  if (stdout.startsWith('{\n')) return [comparable(JSON.parse(stdout))];
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { problems, ...others } = Object(JSON.parse(line));
      return { ...others, ...(problems !== undefined && { isTold: problems.length > 0 }) };
    });
}

const text = (document: unknown): string => JSON.stringify(document);
const lines = (...documents: readonly unknown[]): string => documents.map((one) => `${text(one)}\n`).join('');

describe('both verifiers search the log of revocations', () => {
  test.each<[string, unknown, string, CommandOptions, object]>([
    [
      'a receipt that is not in it',
      final,
      logs.without,
      {},
      { revocation: 'ok', checks: { revocation: 'ok' } },
    ],
    ['a pending one', pending, logs.without, {}, { revocation: 'ok' }],
    ['an empty log', final, logs.empty, {}, { revocation: 'ok' }],
    ['a receipt that is in it', final, logs.with, {}, { verdict: 'revoked', revocation: 'revoked' }],
    ['one that says so itself', revoked, logs.without, {}, { verdict: 'revoked', revocation: 'revoked' }],
    ['no receipt', { a: 1 }, logs.without, {}, { verdict: 'malformed' }],
    ['a bundle that is not in it', bundleOf(final), logs.without, {}, { revocation: 'ok' }],
    ['a bundle that is in it', bundleOf(final), logs.with, {}, { verdict: 'revoked' }],
    ['a malformed bundle', { ...bundleOf(final), note: 1 }, logs.without, {}, { verdict: 'malformed' }],
    ['a log that is too old', final, logs.without, { at: NOW + HOUR }, { checks: { revocation: 'stale' } }],
    [
      'a bundle with an old log',
      bundleOf(final),
      logs.without,
      { at: NOW + HOUR },
      { checks: { revocation: 'stale', status: 'ok' } },
    ],
  ])('%s', async (_, document, revocations, options, expected) => {
    const { results } = await said(text(document), { revocations, ...options });
    expect(results[0]).toMatchObject(expected);
  });

  test.each<[string, () => string, CommandOptions, string]>([
    ['without a time', () => copyOf(log([], { signers: [plain] })), {}, 'undated'],
    ['dated ahead', () => copyOf(log([], { seconds: SIGNED + 3600 })), {}, 'future'],
    ['of another installation', () => copyOf(log([], { origin: 'b.example/revocations' })), {}, 'wrong_log'],
    ['that nothing names', () => logs.without, { keys: keyList({ log: null }) }, 'log_not_named'],
    [
      'of any name, if that is asked',
      () => logs.without,
      { keys: keyList({ log: null }), anyLog: true },
      'ok',
    ],
    [
      'of a key that is named',
      () => logs.without,
      { logKey: [formatVerifierKey(verifierOf(timed, ORIGIN))] },
      'ok',
    ],
    [
      'that is closed',
      () => logs.without,
      {
        keys: keyList({
          log: { origin: 'c.example/keys' },
          closed_logs: [{ ...closedRow('receipts'), log: 'revocations', origin: ORIGIN }],
        }),
      },
      'wrong_log',
    ],
  ])('a log %s', async (_, revocations, options, check) => {
    const { code, results } = await said(text(final), { revocations: revocations(), ...options });
    expect([code, results[0].checks.revocation]).toEqual([check === 'ok' ? 0 : 1, check]);
    const list = await said(lines(final, final), { revocations: revocations(), ...options });
    expect([list.code, list.results.length]).toEqual(check === 'ok' ? [0, 1] : [1, 0]);
  });

  test.each<[string, () => string, CommandOptions]>([
    ['that is not there', () => files.path, {}],
    ['of another name', () => copyOf(log([], { origin: `${COMMON}/receipts` })), {}],
    ['of nobody', () => copyOf(log([], { signers: [testKey(40)] })), {}],
    [
      'of a compromised key',
      () => logs.without,
      {
        keys: keyList(
          {},
          keyRow(plain, 'receipts', { status: 'compromised' }),
          keyRow(timed, 'revocations-log', { status: 'compromised' }),
        ),
      },
    ],
    ['with another entry', () => copyOf({ ...log([ofAgent, ofFinal]), entries: [ofAgent, ofOther] }), {}],
    ['with an entry less', () => copyOf({ ...log([ofAgent, ofFinal]), entries: [ofAgent] }), {}],
    ['with an entry that is no revocation', () => copyOf(log([text({ a: 1 })])), {}],
    ['that is no checkpoint', () => copyOf({ ...log([]), checkpoint: 'x' }), {}],
  ])('and refuse a log %s', async (_, revocations, options) => {
    for (const document of [text(final), text(bundleOf(final)), lines(final, final)])
      expect(await said(document, { revocations: revocations(), ...options })).toMatchObject({
        code: 1,
        results: [],
      });
  });

  test('by its cosignatures, if there is a policy', async () => {
    const one = log([ofAgent]);
    const by = (witnesses: readonly string[], time = NOW - 60_000) =>
      copyOf({ ...one, checkpoint: cosigned(one.checkpoint, time, witnesses) });
    for (const [revocations, check, revocation] of [
      [by(['one', 'two']), 'ok', 'ok'],
      [by(['one']), 'missing', 'ok'],
      [by(['one', 'two'], NOW - HOUR), 'ok', 'stale'],
      [by(['one', 'two'], NOW + HOUR), 'future', 'ok'],
    ] as const) {
      const isOk = check === 'ok' && revocation === 'ok';
      const { code, results } = await said(text(final), { revocations, policy });
      expect([code, results[0].checks.quorum, results[0].checks.revocation]).toEqual([
        isOk ? 0 : 1,
        check,
        revocation,
      ]);
      expect(results[0].revocation).toBe(isOk ? 'ok' : 'not_checked');
      const list = await said(lines(final, final), { revocations, policy });
      expect([list.code, list.results.length]).toEqual(isOk ? [0, 1] : [1, 0]);
      const witnessed = bundleOf(final, {}, { witnesses: ['one', 'two'] });
      await said(text(witnessed), { revocations, policy });
      await said(text(bundleOf(final)), { revocations, policy });
      await said(lines(witnessed, bundleOf(final)), { revocations, policy });
    }
  });

  test('and those that only a closed log has', async () => {
    const row = (entries: readonly string[], certain = true): JsonObject => ({
      ...{
        log: 'revocations',
        origin: FORMER,
        tree_size: entries.length,
        root_hash: rootOfEntries(entries),
        certain,
      },
      ...{ at: '2026-05-02T12:00:00.000Z', log_index: 7 },
    });
    const closed = [ofAgent, ofFinal];
    const former = copyOf(log(closed, { origin: FORMER, signers: [testKey(41)] }));
    const longer = copyOf(log([...closed, ofOther], { origin: FORMER }));
    const later = copyOf(log([ofAgent]));
    const check = async (
      revocations: string,
      rows: JsonObject[],
      predecessor?: string[],
      document = final,
    ) => {
      const options = {
        keys: keyList({ closed_logs: rows }),
        revocations,
        ...(predecessor && { predecessor }),
      };
      const { code, results } = await said(text(document), options);
      await said(lines(document, document), options);
      await said(lines(bundleOf(final), bundleOf(final)), options);
      return results[0]?.checks?.revocation ?? code;
    };
    expect(await check(later, [row(closed)])).toBe('predecessor');
    expect(await check(later, [row(closed)], [former])).toBe('revoked');
    expect(await check(later, [row(closed)], [longer])).toBe('revoked');
    expect(await check(later, [row(closed)], [former], another)).toBe('ok');
    expect(await check(later, [row(closed, false)], [former], another)).toBe('predecessor');
    expect(await check(copyOf(log([...closed, ofOther])), [row(closed)], undefined, another)).toBe('revoked');
    expect(await check(copyOf(log([...closed, ofAgent])), [row(closed)], undefined, another)).toBe('ok');
    expect(await check(later, [row([], false)])).toBe('predecessor');
    expect(await check(later, [row([])])).toBe('ok');
    // A copy of another log, one that is shorter, and one with other entries.
    expect(await check(later, [row(closed)], [later])).toBe(1);
    expect(await check(later, [row([...closed, ofOther])], [former])).toBe(1);
    expect(await check(later, [row([ofAgent, ofOther])], [former])).toBe(1);
  });

  test('of a list, once for all of its receipts', async () => {
    const all = [final, blind, pending, another].map((receipt) =>
      receipt === another ? receipt : bundleOf(receipt),
    );
    const none = await said(lines(...all), { revocations: logs.empty });
    expect([none.code, none.results.at(-1)]).toEqual([
      0,
      expect.objectContaining({ checked: 4, valid: 4, revocation: 'ok' }),
    ]);
    expect(none.stderr).toContain(`log: ${ORIGIN} has 0 entries`);
    const some = await said(lines(...all, final), { revocations: logs.with });
    // The pending version is of the same receipt as the final one.
    expect(some.results).toMatchObject([
      ...[1, 3, 5].map((line) => ({ line, verdict: 'revoked', isTold: true })),
      { valid: 2, revocation: 'revoked' },
    ]);
    expect(some.code).toBe(1);
  });
});

describe('both verifiers compare the domain', () => {
  const { domain = '' } = final;
  const { blind_salt: _, ...closed } = { ...blind, blind_salt: '5a'.repeat(32) };
  test.each<[string, Receipt, string, string]>([
    ['of a receipt', final, domain, 'ok'],
    ['of another one', final, 'SYSTEM_INTEGRATION', 'mismatch'],
    [
      'of a blind receipt with its salt',
      { ...blind, blind_salt: '5a'.repeat(32) },
      'CUSTOMER_SUPPORT',
      'mismatch',
    ],
    ['of a blind receipt without its salt', closed, domain, 'unchecked'],
    ['of one whose salt is not repeated', { ...blind, blind_salt: null }, domain, 'unchecked'],
  ])('%s', async (_name, receipt, asked, check) => {
    const { code, results } = await said(text(receipt), { domain: asked });
    expect([code, results[0].checks.domain]).toEqual([check === 'ok' ? 0 : 1, check]);
    const bundle = await said(text(bundleOf(receipt)), { domain: asked });
    expect([bundle.code, bundle.results[0].checks.domain]).toEqual([check === 'ok' ? 0 : 1, check]);
    for (const list of [lines(receipt, receipt), lines(bundleOf(receipt), receipt, { a: 1 })]) {
      const found = await said(list, { domain: asked });
      if (check !== 'ok') expect(found.results[0]).toMatchObject({ verdict: 'valid', isTold: true });
    }
  });

  test('of nothing else, and of no other name', async () => {
    const list = text(KEY_DOCUMENT);
    for (const options of [{ domain }, { revocations: logs.empty }])
      expect((await said(list, options)).code).toBe(2);
    expect((await said(text(final), { predecessor: [logs.empty] })).code).toBe(2);
    expect((await said(lines(final, final), { policy })).code).toBe(2);
    for (const options of [
      { linked: true, proof: keys },
      { complete: true, operator: final.operator_id, log: logs.empty, policy },
    ])
      expect((await said(text(final), { ...options, domain })).code).toBe(2);
  });
});
