import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import type { JsonObject, JsonValue } from '../../../../src/proof/encoding/json.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { judgeLines } from '../../../../src/proof/verifier/judge/chunk.ts';
import { LINE_BYTES_MAX, wholeLines } from '../../../../src/proof/verifier/judge/lines.ts';
import { Tally } from '../../../../src/proof/verifier/judge/tally.ts';
import { readInput } from '../../../../src/tools/verify/read/input.ts';
import { hasPython, listsJudgedByPython } from '../../../support/python.ts';

const read = (name: string): string =>
  readFileSync(join(import.meta.dir, '../../../vectors/receipt', name), 'utf8');
const keys: JsonObject = JSON.parse(read('keys.json'));
const receipt: JsonObject = JSON.parse(read('success.json'));
const line = JSON.stringify(receipt);
const id = `rcpt_${'a'.repeat(32)}`;
const NOW = Date.parse(String(receipt.issued_at));
const EXPIRED = Date.parse(String(receipt.expiry));

/** Whole inputs, with what is between receipts and other lines, and what decides whether they are lists. */
const INPUTS: (string | Uint8Array)[] = [
  ...['', ' \n\n', '{}', '{}\n', '\n {}\r\n\n \t', '{\n"a": 1\n}\n', '{}\n{}', '\n\n{}\n\nnonsense'],
  ...['{"a":1,"a":2}\n{}', '[]\n{}', 'nonsense\n{}', '\ufeff{}\n{}', '{}x\n{}', '\u0000{}\n{}', '{}\n\u0000'],
  ...[`${line}\n`, `${line}\n${line}\n`, `\r\n${line}\r\n\r\n${line}`, `${line}\n\ufeff${line}\n`],
  `${line}\n${line.slice(0, -2)}\n${JSON.stringify({ ...receipt, authority_scope: 'all' })}\n`,
  `${line}\n${JSON.stringify({ ...receipt, revocation_status: 'revoked' })}\n${JSON.stringify({ ...receipt, kid: 'other' })}`,
  `${line}\n${JSON.stringify({ ...receipt, signature: '01'.repeat(64) })}\n{"receipt_id"\u2003: "${id}"}\n{"receipt_id":"${id}0"}\n`,
  `${line}\n{"receipt_id":"${id}","receipt_id":"${id}"}\n{"x":"\ud800","receipt_id": "${id}"}\n`,
  Buffer.concat([Buffer.from(`${line}\n`), Buffer.of(0xff, 0x0a), Buffer.from(`"receipt_id":"${id}"`)]),
  `${line}\n${'x'.repeat(LINE_BYTES_MAX)}\n${'y'.repeat(LINE_BYTES_MAX + 1)}\n${'z'.repeat(2 * LINE_BYTES_MAX)}\r\n{}`,
  `${line}\n${' '.repeat(LINE_BYTES_MAX + 5)}x\n${line}${' '.repeat(LINE_BYTES_MAX - line.length)}\r\n`,
];

async function* piecesOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** What the program writes about a list; `document` for a single document. */
async function judged(list: Uint8Array, now: number, size: number, ndjson: boolean): Promise<JsonValue> {
  const pieces = piecesOf(list, size);
  const input = ndjson ? { lines: pieces } : await readInput(pieces);
  if ('document' in input) return 'document';
  const tally = new Tally();
  const problems: unknown[] = [];
  const { origin } = Object(keys.log);
  const options = { keys: readTrustedKeys(nativePrimitives, keys), now, keyLog: String(origin) };
  for await (const chunk of wholeLines(input.lines))
    problems.push(...tally.add(judgeLines(nativePrimitives, chunk, options)));
  const summary = tally.summary();
  const valid = summary.checked > 0 && summary.valid === summary.checked;
  return JSON.parse(JSON.stringify({ valid, written: [...problems, summary] }));
}

/** The sentences about what is wrong with a document are each program's own; that there is one is not. */
const comparable = (said: JsonValue | undefined): JsonValue =>
  JSON.parse(JSON.stringify(said ?? null, (name, value) => (name === 'problems' ? value.length > 0 : value)));

test.skipIf(!hasPython)(
  'src/tools/python/verify.py takes the same inputs for lists, and says the same of each line',
  async () => {
    const cases = INPUTS.flatMap((input) => {
      const list = Buffer.from(input);
      return [
        { list, now: NOW, size: 65_536, ndjson: false },
        {
          list,
          now: list.length > 4096 ? NOW : EXPIRED,
          size: list.length > 4096 ? 262_144 : 3,
          ndjson: true,
        },
      ];
    });
    const said = await listsJudgedByPython(cases.map((one) => ({ ...one, keys, now: one.now / 1000 })));
    const verdicts = new Set<string>();
    for (const [index, { list, now, size, ndjson }] of cases.entries()) {
      const ours = await judged(list, now, size, ndjson);
      const input = list.subarray(0, 200).toString();
      expect([input, comparable(said[index])]).toEqual([input, comparable(ours)]);
      for (const [verdict] of JSON.stringify(ours).matchAll(/(?<="verdict":")\w+/g)) verdicts.add(verdict);
    }
    expect([...verdicts].sort()).toEqual([
      ...['bad_signature', 'expired', 'hash_mismatch', 'key_unknown', 'malformed', 'revoked'],
    ]);
  },
  180_000,
);
