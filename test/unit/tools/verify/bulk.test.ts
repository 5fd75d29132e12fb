import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import type { VerdictResult } from '../../../../src/proof/receipt/verdict.ts';
import {
  domainProblems,
  judgeLines,
  type LineProblem,
  listLines,
} from '../../../../src/proof/verifier/judge/chunk.ts';
import { LINE_BYTES_MAX, linesOf, wholeLines } from '../../../../src/proof/verifier/judge/lines.ts';
import { Tally } from '../../../../src/proof/verifier/judge/tally.ts';
import { readInput } from '../../../../src/tools/verify/read/input.ts';

const utf8 = new TextEncoder();
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const size of sizes) {
    yield bytes.subarray(from, from + size);
    from += size;
  }
  yield bytes.subarray(from);
}

describe('lines', () => {
  test('are the same however the stream is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r', '{') }),
        fc.array(fc.nat(9)),
        async (whole, sizes) => {
          const found: string[] = [];
          for await (const chunk of wholeLines(cut(utf8.encode(whole), sizes))) {
            found.push(...linesOf(chunk).map(text));
          }
          const expected = whole.split('\n').map((line) => line.replace(/\r$/, ''));
          if (whole === '' || whole.endsWith('\n')) expected.pop();
          expect(found).toEqual(expected);
        },
      ),
    );
  });

  test('of which one has no end take no more memory than it takes to see so', async () => {
    const piece = utf8.encode('x'.repeat(2 ** 20));
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (let index = 0; index < 40; index++) yield piece;
      yield utf8.encode('\nshort\n');
    }
    const lengths: number[] = [];
    for await (const chunk of wholeLines(endless()))
      lengths.push(...linesOf(chunk).map(({ length }) => length));
    expect(lengths).toEqual([LINE_BYTES_MAX + 2, 5]);
    const report = judgeLines(nativePrimitives, utf8.encode('x'.repeat(LINE_BYTES_MAX + 2)), {
      keys: [],
      now: 0,
    });
    expect(report.problems[0]?.problems).toEqual(['the line is longer than 1 MiB']);
  });
});

describe('one receipt or many', () => {
  const kindOf = async (whole: string): Promise<string> =>
    Object.keys(await readInput(cut(utf8.encode(whole), [1, 3]))).join();
  test.each([
    ['', 'lines'],
    [' \n\n', 'lines'],
    ['{}', 'document'],
    ['{}\n', 'document'],
    ['\n {}\r\n\n \t', 'document'],
    ['{\n"a": 1\n}\n', 'document'],
    ['{}\n{}', 'lines'],
    ['\n\n{}\n\nnonsense', 'lines'],
    ['{"a":1,"a":2}\n{}', 'lines'],
    ['[]\n{}', 'document'],
    ['nonsense\n{}', 'document'],
    ['\ufeff{}\n{}', 'lines'],
  ])('%j: %s', async (whole, kind) => {
    expect(await kindOf(whole)).toBe(kind);
  });

  test('many are passed on from their first byte', async () => {
    const whole = '\n{}\n{"b":2}\n3';
    const input = await readInput(cut(utf8.encode(whole), [2, 2, 2]));
    if (!('lines' in input)) throw new Error('one document');
    expect(text(Buffer.concat(await Array.fromAsync(input.lines)))).toBe(whole);
  });

  test('one that never ends is refused', async () => {
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) yield utf8.encode('x'.repeat(2 ** 20));
    }
    await expect(readInput(endless())).rejects.toThrow('larger than a receipt can be');
  });
});

test('what is no receipt is named by line and, if it has one, by id', () => {
  const id = `rcpt_${'a'.repeat(32)}`;
  const bytes = Buffer.concat([
    utf8.encode(`{"receipt_id":"${id}"}\r\n\n`),
    Buffer.from([0xff, 0x0a]),
    utf8.encode('\ufeff{}'),
  ]);
  const { lines, checked, valid, verdicts, problems } = judgeLines(nativePrimitives, bytes, {
    keys: [],
    now: 0,
  });
  expect({ lines, checked, valid, verdicts }).toEqual({
    lines: 4,
    checked: 3,
    valid: 0,
    verdicts: { malformed: 3 },
  });
  expect(problems.map(({ line, receipt_id }) => [line, receipt_id])).toEqual([
    [1, id],
    [3, null],
    [4, null],
  ]);
  expect(problems[1]?.problems).toEqual(['not UTF-8']);
});

test('reports add up, with their lines counted from the first of all', () => {
  const tally = new Tally();
  const flaw: LineProblem = {
    ...{ line: 2, receipt_id: null, verdict: 'revoked', authentic: true, problems: [] },
    trees: [],
  };
  const report = {
    checked: 2,
    bundles: 0,
    oldStatuses: 0,
    valid: 1,
    open: new Set<string>(),
    problems: [flaw],
    signers: [],
    trees: [],
  };
  tally.add({ ...report, lines: 3, verdicts: { valid: 1, revoked: 1 } });
  const [second] = tally.add({ ...report, lines: 2, verdicts: { valid: 2 } });
  expect(second?.line).toBe(5);
  expect(tally.summary()).toEqual({
    checked: 4,
    valid: 2,
    verdicts: { revoked: 1, valid: 3 },
    revocation: 'revoked',
    not_checked: [{ check: 'quorum', option: '--policy' }],
    signers: [],
    trees: [],
    sentence:
      'not valid: 2 of 4 receipts (1 revoked, 1 whose domain differs from --domain or cannot be checked).',
  });
});

test('all receipts of a list are only called not revoked where a log of revocations was searched', () => {
  const said = [[], ['proof', 'revocation']].map((names) => {
    const open = new Set(names);
    const tally = new Tally(true);
    const verdicts = { valid: 1234 };
    const none = { bundles: 0, oldStatuses: 0, problems: [], signers: [], trees: [] };
    tally.add({ lines: 1234, checked: 1234, valid: 1234, verdicts, open, ...none });
    return [tally.summary().revocation, tally.summary().sentence];
  });
  expect(said).toEqual([
    ['ok', 'valid: all 1,234 receipts; in the log; witnesses cosigned the logs; not revoked.'],
    [
      'not_checked',
      'valid: all 1,234 receipts; witnesses cosigned the logs. Not checked: whether the log has them (a bundle a line); whether any is revoked (--revocations).',
    ],
  ]);
});

test('the domain that was asked for is a problem where it is another or cannot be told', () => {
  const result = (domain: 'ok' | 'mismatch' | 'unchecked'): VerdictResult => ({
    verdict: 'valid',
    authentic: true,
    revocation: 'not_checked',
    checks: { hash: 'ok', signature: 'ok', key: 'trusted', domain },
    problems: [],
    kid: null,
    trees: [],
  });
  const said = (domain: 'ok' | 'mismatch' | 'unchecked') => domainProblems(result(domain), 'CODE_GENERATION');
  expect([said('ok'), said('mismatch'), said('unchecked')]).toEqual([
    [],
    ['domain: not CODE_GENERATION.'],
    ['domain: cannot be checked without the blind_salt.'],
  ]);
});

test('the lines of a list say what they are, whatever their expiry, or why they are no receipts', () => {
  const vectors = join(import.meta.dir, '../../../vectors/receipt');
  const file = (name: string): string => readFileSync(join(vectors, name), 'utf8');
  const receipt = JSON.parse(file('success.json'));
  const keys = readTrustedKeys(nativePrimitives, JSON.parse(file('keys.json')));
  const lines = [
    JSON.stringify(receipt),
    '',
    JSON.stringify({ ...receipt, authority_scope: 'all' }),
    '{"receipt_id": 5}',
    'no JSON',
    'x'.repeat(LINE_BYTES_MAX + 1),
  ];
  const { lines: count, receipts } = listLines(nativePrimitives, utf8.encode(lines.join('\n')), {
    keys,
    now: -8.64e15,
  });
  expect(count).toBe(lines.length);
  expect(receipts).toMatchObject([
    { line: 1, listed: { receiptId: receipt.receipt_id, finalized: receipt.content_hash, revoked: null } },
    { line: 3, receiptId: receipt.receipt_id, forgery: expect.stringContaining('hash_mismatch') },
    { line: 4, receiptId: null, forgery: expect.stringContaining('malformed') },
    { line: 5, receiptId: null, forgery: expect.stringContaining('malformed') },
    { line: 6, receiptId: null, forgery: 'malformed: the line is longer than 1 MiB' },
  ]);
});
