import { afterAll, describe, expect, test } from 'bun:test';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tamperings } from '../../../support/changed-document.ts';
import { casesOf, type VectorCase } from '../../../support/document-vectors.ts';
import { scratch } from '../../../support/process.ts';
import { PYTHON } from '../../../support/python.ts';
import { pageOf } from '../../../support/story.ts';
import { VECTORS, vectorText } from '../../../support/vectors.ts';

const files = scratch();
afterAll(() => files.dispose());

const shown = [...pageOf('verification/twenty-lines.md').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
const blocksIn = (language: string): string[] =>
  shown.flatMap(([, name, text = '']) => (name === language ? [text] : []));
const AS_OF = 'valid; not revoked at 2026-06-01T12:00:30.000Z\n';
const NAMES = { js: ['receipt.mjs', 'bundle.mjs'], python: ['receipt.py', 'bundle.py'] };
const blocks = Object.entries(NAMES).flatMap(([language, names]) =>
  names.map((name, at) => [name, blocksIn(language)[at] ?? ''] as const),
);
for (const [name, text] of blocks) writeFileSync(join(files.path, name), text);

/** Each reads a list of `[kind, document, keys, now]` and writes why it was refused; null for accepted. */
const JAVASCRIPT = `
import { verifyReceipt } from './receipt.mjs';
import { verifyBundle } from './bundle.mjs';
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
console.log(JSON.stringify(JSON.parse(Buffer.concat(chunks)).map(([kind, document, keys, now]) => {
  try {
    (kind === 'receipt' ? verifyReceipt : verifyBundle)(JSON.parse(document), JSON.parse(keys), now);
    return null;
  } catch (error) {
    return error.message;
  }
})));
`;
const IN_PYTHON = `
import json, sys
from datetime import datetime, timezone
from receipt import verify_receipt
from bundle import verify_bundle
def said(kind, document, keys, now):
    verify = verify_receipt if kind == "receipt" else verify_bundle
    try:
        verify(json.loads(document), json.loads(keys), datetime.fromtimestamp(now / 1000, timezone.utc))
    except Exception as error:
        return "bad_signature" if type(error).__name__ == "InvalidSignature" else str(error)
print(json.dumps([said(*case) for case in json.load(sys.stdin)]))
`;

const hasCryptography =
  PYTHON !== null &&
  Bun.spawnSync([PYTHON, '-c', 'import sys, cryptography; sys.exit(sys.version_info < (3, 11))']).success;
const RUNS: [string, string[], boolean][] = [
  ['JavaScript on Node', ['node', '--input-type=module', '-e', JAVASCRIPT], Bun.which('node') !== null],
  ['JavaScript on Bun', [process.execPath, '-e', JAVASCRIPT], true],
  ['Python', [PYTHON ?? '', '-B', '-c', IN_PYTHON], hasCryptography],
];

/** Returns why each document is refused by a program; null for accepted. */
function saidBy(command: readonly string[], cases: readonly unknown[]): (string | null)[] {
  const { stdout, stderr } = Bun.spawnSync([...command], {
    cwd: files.path,
    stdin: Buffer.from(JSON.stringify(cases)),
  });
  expect(stderr.toString()).toBe('');
  return JSON.parse(stdout.toString());
}
/** The cases that the code on the page accepts although a verifier refuses them: what it does not check. */
const NOT_CHECKED: Record<string, Record<string, readonly string[]>> = {
  receipt: {
    'the form of members that the service signed': [
      'an error beside success, signed',
      'no error_tranche, signed',
      'no output_hash, signed',
      'agent_id: 257 characters, signed',
      'agent_id: no character, signed',
      'agent_id: a line end, signed',
      'agent_id: the control character U+007F, signed',
      'agent_id: the control character U+009F, signed',
      'authority_scope: a tab, signed',
      'issued_at: ten digits, signed',
      'issued_at: no digit after the point, signed',
      'issued_at: no offset, signed',
      'issued_at: a space for the T, signed',
      'issued_at: a small z, signed',
      'issued_at: the hour 24, signed',
      'issued_at: the second 60, signed',
      'issued_at: a day that 1900 did not have, signed',
      'issued_at: an offset of 24 hours, signed',
      'issued_at: an offset without a colon, signed',
      'issued_at: no seconds, signed',
      'issued_at: a line end after it, signed',
    ],
    'strict JSON': ['a member twice'],
    'the salt, which nothing signs': ['a salt without a commitment', 'the salt of another domain'],
    'dates in the future': ['more than 60 s before it was issued'],
  },
  'receipt-bundle': {
    'the form of what nothing here reads': [
      'a reason beside a proof',
      'a reason that is too long',
      'another member',
      'another member of the proof',
      'another member of a leaf',
      'another member of the status',
      'cosigned that is a text',
      'three key events',
      'an array of leaves',
      'null for leaves',
    ],
    'the proofs of the events of keys': [
      'an event of a key that signed nothing here',
      'two events of one key',
      'the proof of the receipt as an event',
      'an event with another index',
      'an event of a key of ML-DSA-44',
      'events of another installation',
    ],
    'the leaves in the log of accounts': [
      'no leaves',
      'without the leaf of the issue',
      'without the leaf of the finalization',
      'the leaves of another receipt',
      'the same leaf twice',
      'a leaf in the log of receipts',
      'leaves of another installation',
    ],
    'witnesses: the code takes no policy': [
      'without cosignatures',
      'no quorum of an event',
      'no quorum of a leaf',
      'no quorum of the proof',
      'a pending receipt, and a policy',
      'a pending receipt, and a policy without a quorum',
      'a pending receipt whose key events witnesses cosigned, and a policy',
    ],
    'that the status is a fresh one': ['an old status, where a fresh one is asked for'],
  },
};

/** The cases that the code refuses although a verifier accepts them. */
const REFUSED_TOO: Record<string, Record<string, readonly string[]>> = {
  receipt: {
    'the code tries no keys': ['no kid'],
    'a key that has ended': ['a key that was retired at that time'],
  },
  'receipt-bundle': {
    'a final receipt without a proof': ['null for a proof, with a reason'],
    'a key that has ended': [
      'an event that ends the key later',
      'a key that ended after the receipt was logged',
      'a retired key, and an event from before',
    ],
    'a closed log': ['of a closed log'],
    'no log.origin says which log is meant': ['a list without log, and any log'],
    'a list of keys is needed': ['witnesses, and no list of keys'],
  },
};

/** The errors for the cases that no verdict of a receipt names. */
const ERRORS: Record<string, string> = {
  'the receipt of another': 'entry_of_another',
  'the proof of another receipt': 'entry_of_another',
  'another index': 'bad_root',
  '63 hashes': 'bad_path',
  'the proof of another installation': 'wrong_log',
  'a list of another installation': 'wrong_log',
  'the status of another receipt': 'status_of_another',
  'the status of a version before': 'superseded',
  'the status of the revoked version': 'revoked',
  'a status that is valid for a year': 'misdated',
  'a status of the future': 'misdated',
  'an end that only the list knows': 'key_ended',
  'a stolen key': 'key_ended',
  'a key that was stolen as another key': 'key_ended',
  'a key that was retired before': 'key_ended',
  'an ended key of which no list says it': 'key_ended',
  'an event that ends the key before the receipt was logged': 'key_ended',
};
const SAME_WORDS = new Set(['revoked', 'expired', 'hash_mismatch', 'key_unknown', 'bad_signature']);

/** Whether a verifier accepts the document of a case. */
function isInOrder({ verdict, checks }: VectorCase): boolean {
  const good = ['ok', 'none', 'trusted'];
  return verdict === 'valid' && Object.values(checks).every((value) => good.includes(value));
}

const asInput = (kind: string, { document, keys, now }: Pick<VectorCase, 'document' | 'keys' | 'now'>) => [
  kind,
  Buffer.from(document).toString(),
  JSON.stringify(keys),
  now,
];

test('the blocks of the page are as short as it says', () => {
  for (const [name, text] of blocks) {
    const length = text.split('\n').filter((line) => line.trim() !== '').length;
    const most = name.startsWith('receipt') ? 20 : 60;
    expect([name, length, length > 10 && length <= most]).toEqual([name, length, true]);
  }
});

describe.each(RUNS)('the code of the page in %s', (_, command, isThere) => {
  describe.skipIf(!isThere).each(['receipt', 'receipt-bundle'])('on the vectors of %s', (kind) => {
    const cases = casesOf(kind);

    test('accepts the genuine ones and refuses the tampered ones, but for what it does not check', () => {
      const said = saidBy(
        command,
        cases.map((one) => asInput(kind, one)),
      );
      const namesOf = (wanted: boolean, accepted: boolean): string[] =>
        cases.flatMap((one, at) =>
          isInOrder(one) === wanted && (said[at] === null) === accepted ? [one.name] : [],
        );
      expect(namesOf(false, true).toSorted()).toEqual(
        Object.values(NOT_CHECKED[kind] ?? {})
          .flat()
          .toSorted(),
      );
      expect(namesOf(true, false).toSorted()).toEqual(
        Object.values(REFUSED_TOO[kind] ?? {})
          .flat()
          .toSorted(),
      );
      const reasons = cases.flatMap(({ name, verdict, keys }, at) => {
        const expected = ERRORS[name] ?? (SAME_WORDS.has(verdict) ? verdict : null);
        return expected === null || keys === null || said[at] === null ? [] : [[name, said[at], expected]];
      });
      expect(reasons.filter(([, error, expected]) => error !== expected)).toEqual([]);
    });

    test('refuses a genuine one with anything changed that it reads', () => {
      const name = kind === 'receipt' ? 'success.json' : 'final.json';
      const one =
        cases.find(({ file, isWhole }) => file === name && isWhole) ??
        cases.find(({ file }) => file === name);
      if (one === undefined) throw new Error('there is a case of each file');
      const changes = tamperings(JSON.parse(Buffer.from(one.document).toString()));
      const said = saidBy(
        command,
        changes.map(({ document }) =>
          asInput(kind, { ...one, document: Buffer.from(JSON.stringify(document)) }),
        ),
      );
      const accepted = changes.flatMap(({ path, how }, at) => (said[at] === null ? [`${path} ${how}`] : []));
      const isUnread = (path: string): boolean =>
        /^(key_events|proof\.cosigned) |^key_events[[.]|^(proof)? ?with another member$/.test(path);
      // What follows the last signature of a checkpoint is a matter of its form.
      const others = kind === 'receipt' ? [] : ['proof.checkpoint changed'];
      expect(accepted.filter((path) => !isUnread(path))).toEqual(others);
    });
  });
});

describe.each(RUNS)('the code of the page in %s', (_, command, isThere) => {
  test.skipIf(!isThere)('refuses a domain in the place of its commitment, and the other way round', () => {
    const keys = vectorText('receipt/keys.json');
    const success = vectorText('receipt/success.json');
    const blind = vectorText('receipt/blind.json');
    const hidden = '"domain_commitment"';
    const cases: [string | null, string][] = [
      [null, success],
      [null, blind],
      ['malformed', success.replace('"domain"', hidden)],
      ['malformed', blind.replace(hidden, '"domain"')],
      ['malformed', success.replace('{', `{ ${hidden}: "${'ab'.repeat(32)}",`)],
      ['malformed', success.replace('{', `{ ${hidden}: null,`)],
      ['malformed', blind.replace(hidden, `"domain": "CODE_GENERATION", ${hidden}`)],
      ['malformed', blind.replace(hidden, `"domain": null, ${hidden}`)],
    ];
    const now = Date.parse('2026-06-01T12:01:00.000Z');
    const said = saidBy(
      command,
      cases.map(([, document]) => ['receipt', document, keys, now]),
    );
    expect(said).toEqual(cases.map(([error]) => error));
    expect(new Set(cases.map(([, document]) => document)).size).toBe(cases.length);
  });

  test.skipIf(!isThere)('trusts a checkpoint and a status only by a key of the list', () => {
    const text = vectorText('receipt-bundle/final.json');
    const keys = vectorText('receipt-bundle/keys.json');
    const cases: [string | null, string, string][] = [
      [null, text, keys],
      ['bad_signature', text.replace('1Dw2Hz0bbk', '1Dw2Hz1bbk'), keys],
      ['bad_signature', text.replace('b3fc53916e7c', 'b3fc53916e7d'), keys],
      ['log_key_unknown', text.replace('receipts 2obql', 'receipts 3obql'), keys],
      ['log_key_unknown', text.replace('— receipts.example/receipts', '— receipts.example/other'), keys],
      ['log_key_unknown', text, keys.replace('"receipts-log"', '"evidence-log"')],
      ['key_unknown', text, keys.replace('"credentials"', '"receipts"')],
      ['key_ended', text, keys.replace('"receipts_tree_size": null', '"receipts_tree_size": 0')],
      ['log_not_named', text, keys.replace('"log"', '"other"')],
    ];
    const now = Date.parse('2026-06-01T12:01:00.000Z');
    const said = saidBy(
      command,
      cases.map(([, document, list]) => ['receipt-bundle', document, list, now]),
    );
    expect(said).toEqual(cases.map(([error]) => error));
    expect(new Set(cases.map(([, ...input]) => input.join())).size).toBe(cases.length);
  });
});

const UNLOGGED = AS_OF.replace('valid', 'valid, and nothing shows it in a log');
const COMMANDS: [string, number, string, string, { stdout?: string; stderr?: RegExp }][] = [
  ['node', 0, 'receipt', 'success.json', { stdout: 'valid\n' }],
  ['python3', 1, 'receipt', 'success.json', { stdout: 'valid\n' }],
  ['node', 0, 'receipt', 'unsigned.json', { stderr: /^not valid: [^\n]+\n$/ }],
  ['python3', 1, 'receipt', 'unsigned.json', { stderr: /^not valid: [^\n]+\n$/ }],
  ['node', 2, 'receipt-bundle', 'final.json', { stdout: AS_OF }],
  ['python3', 3, 'receipt-bundle', 'final.json', { stdout: AS_OF }],
  ['node', 2, 'receipt-bundle', 'pending.json', { stdout: UNLOGGED }],
  ['python3', 3, 'receipt-bundle', 'pending.json', { stdout: UNLOGGED }],
  ['node', 2, 'receipt-bundle', 'compromised.json', { stderr: /^not valid: key_ended\n$/ }],
  [
    'python3',
    3,
    'receipt-bundle',
    'compromised.json',
    { stderr: /^not valid: ValueError\('key_ended'\)\n$/ },
  ],
];
for (const [program, at, kind, file, { stdout: result = '', stderr: error = /^$/ }] of COMMANDS) {
  const isThere = program === 'node' ? Bun.which('node') !== null : hasCryptography;
  test.skipIf(!isThere)(`the command of the page for ${program} prints the result of ${kind}/${file}`, () => {
    const name = kind === 'receipt' ? 'receipt.json' : 'bundle.json';
    copyFileSync(join(VECTORS, kind, 'keys.json'), join(files.path, 'keys.json'));
    copyFileSync(join(VECTORS, kind, file), join(files.path, name));
    const { stdout, stderr, exitCode } = Bun.spawnSync(['sh', '-c', blocksIn('sh')[at] ?? ''], {
      cwd: files.path,
    });
    expect(stderr.toString()).toMatch(error);
    expect([stdout.toString(), exitCode]).toEqual([result, result === '' ? 1 : 0]);
  });
}
