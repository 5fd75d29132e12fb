import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { Failure } from '../../../../src/platform/failure.ts';
import { judgeFiles, type Row } from '../../../../src/platform/verify-page/session/judge-files.ts';
import { type PageFile, roleOf } from '../../../../src/platform/verify-page/session/recognise.ts';
import { checkInWords, resultInWords } from '../../../../src/platform/verify-page/session/words.ts';
import { usesPolicy } from '../../../../src/proof/verifier/document.ts';
import type { KindInputs } from '../../../../src/proof/verifier/kinds/kind.ts';
import { requireOptions } from '../../../../src/tools/verify/options/by-document.ts';
import { casesOf } from '../../../support/document-vectors.ts';
import { VECTORS } from '../../../support/vectors.ts';

const NOW = Date.parse('2026-06-01T12:01:00.000Z');
const utf8 = new TextEncoder();
const file = (path: string): PageFile => ({
  name: path,
  bytes: new Uint8Array(readFileSync(join(VECTORS, path))),
});
const text = (name: string, content: string): PageFile => ({ name, bytes: utf8.encode(content) });
const NOTHING = { keys: null, policy: null };

async function judged(
  files: PageFile[],
  more: { baked?: { keys: PageFile | null; policy: PageFile | null }; now?: number } = {},
) {
  const request = { files, baked: more.baked ?? NOTHING, now: more.now ?? NOW };
  let rows: readonly Row[] = [];
  for await (const step of judgeFiles(nativePrimitives, request)) if ('rows' in step) rows = step.rows;
  return rows;
}

const said = (rows: readonly Row[]) =>
  rows.map((row) => {
    if ('described' in row) return [row.file, row.described.result.verdict, ...row.with];
    if ('list' in row) return [row.file, row.list.sentence];
    return [row.file, 'problem' in row ? row.problem : row.usedAs];
  });

describe('a file is recognised by its content:', () => {
  test.each<[role: string, content: PageFile]>([
    ['keys', file('receipt/keys.json')],
    ['document', file('receipt-proof/genuine.tlog-proof')],
    ['document', text('a receipt with keys', '{"receipt_id":"rcpt_1","signature":"","keys":[]}')],
    ['document', text('headings', '# One\n## Two\n')],
    ['document', file('receipt-proof/receipt.cose')],
    ['document', text('x', 'nonsense')],
    ['document', text('x', '{"__proto__":{}}')],
    ['policy', text('x', 'quorum none\n')],
    ['policy', text('x', 'log a+0b1c2d3e+AQIDBAU=\nwitness w w+0b1c2d3e+BAID\nquorum w\n')],
    ['log keys', text('x', '# of a service\na.example/receipts+0b1c2d3e+AQIDBAU=\n')],
    ['manifest', text('x', '{"receipt_id":"rcpt_1","inclusion_path":{}}')],
    ['entry', file('receipt-proof/entry.json')],
    ['list', text('x', '{"a":1}\n{"a":2}\n')],
    ['journal', file('journal/1.ndjson')],
    ['journal', text('an empty journal', '{"type":"credit-journal"}')],
    ['empty', text('x', ' \n\n')],
  ])('%s', (role, { bytes }) => {
    expect(roleOf(bytes)).toBe(role as ReturnType<typeof roleOf>);
  });
});

test('what belongs together is judged together, whatever the order of the files', async () => {
  const files = ['genuine.tlog-proof', 'genuine.status.json', 'receipt.json', 'keys.json'].map((name) =>
    file(`receipt-proof/${name}`),
  );
  for (const some of [files, files.toReversed()]) {
    const rows = said(await judged(some, { now: Date.parse('2026-06-01T12:01:00.000Z') }));
    expect(rows).toContainEqual([
      'receipt-proof/receipt.json',
      'valid',
      'receipt-proof/genuine.tlog-proof',
      'receipt-proof/genuine.status.json',
    ]);
    expect(rows.at(-1)).toEqual(['receipt-proof/keys.json', 'keys']);
  }
});

test('the proof and the status of another receipt are not used with it', async () => {
  const files = ['receipt.json', 'other-receipt.tlog-proof', 'other-receipt.status.json', 'keys.json'];
  const [row] = said(await judged(files.map((name) => file(`receipt-proof/${name}`))));
  expect(row).toEqual(['receipt-proof/receipt.json', 'valid']);
});

test('a file that no document needs is not said to be used', async () => {
  const [manifest, keys] = [
    file('linked-receipt/a-final-receipt.manifest.json'),
    file('receipt-proof/keys.json'),
  ];
  const [row] = said(await judged([manifest, keys]));
  expect(row?.[1]).toStartWith('No document here needs it');
});

describe('a journal', () => {
  const [proof, keys] = [file('journal-head-proof/agent.json'), file('journal-head-proof/keys.json')];
  const journal = file('journal/1.ndjson');
  const account = JSON.parse(new TextDecoder().decode(proof.bytes)).leaf.account;
  const ofAccount = text(
    'own journal',
    new TextDecoder()
      .decode(journal.bytes)
      .replace(/"subject_commitment":"[0-9a-f]{64}"/, `"subject_commitment":"${account}"`),
  );

  test('is judged without any keys, and names the line that is wrong', async () => {
    expect(said(await judged([journal]))).toEqual([
      ['journal/1.ndjson', expect.stringContaining('consistent: The journal of 146cbeff')],
    ]);
    const [row] = await judged([ofAccount]);
    if (row === undefined || !('list' in row)) throw new Error('there is no journal');
    expect(row.list).toMatchObject({ isValid: false, problems: [{ line: 2 }] });
  });

  test('is used with a head of its account only, and of two journals the order chooses none', async () => {
    expect(said(await judged([proof, keys, journal]))).toContainEqual([
      'journal-head-proof/agent.json',
      'valid',
    ]);
    expect(said(await judged([ofAccount, proof, keys]))).toContainEqual([
      'journal-head-proof/agent.json',
      'journal_cut',
      'own journal',
    ]);
    const twice = await judged([proof, keys, ofAccount, { ...ofAccount, name: 'other' }]);
    expect(said(twice)).toContainEqual([
      'journal-head-proof/agent.json',
      'Several files are its journals, and one can count: own journal, other. Remove the others.',
    ]);
  });
});

test('without trusted keys only what proves itself is judged', async () => {
  const rows = said(await judged([file('receipt/success.json'), file('agora-proposal/proposed.json')]));
  expect(rows).toContainEqual(['agora-proposal/proposed.json', 'valid']);
  expect(rows.at(-1)?.[1]).toStartWith('There are no trusted keys');
});

test('a list of keys is not judged, and broken trust judges nothing', async () => {
  const [receipt, keys] = [file('receipt-proof/receipt.json'), file('receipt-proof/keys.json')];
  const [row] = said(await judged([keys]));
  expect(row).toEqual(['receipt-proof/keys.json', 'keys']);
  for (const [trust, why] of [
    [text('policy', 'quorum x\n'), 'The policy policy, line 1'],
    [text('log keys', 'a.example/receipts+00000000+AQIDBAU=\n'), 'log keys, line 1'],
  ] as const) {
    const rows = said(await judged([receipt, keys, trust]));
    expect(
      rows.every(([, problem]) => problem?.startsWith(why) && problem.endsWith('Nothing was judged.')),
    ).toBe(true);
  }
});

test('what a page was made with counts instead of what is added to it', async () => {
  const keys = file('receipt-proof/keys.json');
  const other = { ...file('credential/keys.json'), name: 'other' };
  const rows = said(
    await judged([file('receipt-proof/receipt.json'), other], { baked: { keys, policy: null } }),
  );
  expect(rows).toEqual([
    ['receipt-proof/receipt.json', 'valid'],
    ['other', 'It is not used: this page was made with a list of keys, which counts.'],
  ]);
});

describe('nothing is judged where a file', () => {
  const bundle = ['final.json', 'keys.json', 'two.txt'].map((name) => file(`receipt-bundle/${name}`));
  const witnessed = ['witnessed.json', 'keys.json', 'logs.txt'].map((name) => file(`receipt-bundle/${name}`));
  const baked = { keys: file('receipt-proof/keys.json'), policy: null };
  const proven = ['receipt.json', 'genuine.tlog-proof'].map((name) => file(`receipt-proof/${name}`));
  const logs = { ...file('receipt-bundle/logs.txt'), name: 'notes.txt' };
  test.each<[what: string, files: PageFile[], why: string, more?: Parameters<typeof judged>[1]]>([
    [
      'would be a second policy',
      [...bundle, text('readme.txt', 'quorum of the court\n')],
      'Several files are a policy',
    ],
    [
      'would be a second list of keys',
      [...witnessed, text('data.json', '{"keys":[]}')],
      'Several files are a list of keys',
    ],
    [
      'is a policy with log lines, on a page that was made with keys',
      [...proven, logs],
      'The policy notes.txt has log lines',
      { baked },
    ],
  ])('%s', async (_, files, why, more) => {
    for (const some of [files, files.toReversed()])
      for (const [, problem] of said(await judged(some, more))) {
        expect(problem).toStartWith(why);
        expect(problem).toEndWith('Nothing was judged.');
      }
  });
});

test('of two statuses or proofs of one document the order chooses none', async () => {
  const of = (...names: string[]): PageFile[] => names.map((name) => file(name));
  for (const files of [
    of(
      'receipt-proof/receipt.json',
      'receipt-proof/genuine.status.json',
      'receipt-proof/revoked.status.json',
    ),
    of(
      'receipt-proof/receipt.json',
      'receipt-proof/other-key.tlog-proof',
      'receipt-proof/genuine.tlog-proof',
    ),
    of('credential/reputation.json', 'credential/list-zeros.json', 'credential/status-list.json'),
  ]) {
    const [document] = files;
    const keys = file(`${document?.name.split('/')[0]}/keys.json`);
    for (const some of [files, files.toReversed()]) {
      const rows = said(await judged([...some, keys], { now: Date.parse('2026-05-01T14:00:00.000Z') }));
      const [, problem] = rows.find(([name]) => name === document?.name) ?? [];
      expect(problem).toStartWith('Several files are its ');
    }
  }
});

test('a list that begins with a receipt has no bundles if a policy is there', async () => {
  const line = ({ bytes }: PageFile): string => JSON.stringify(JSON.parse(new TextDecoder().decode(bytes)));
  const [bundle, keys, policy] = ['final.json', 'keys.json', 'two.txt'].map((name) =>
    file(`receipt-bundle/${name}`),
  );
  if (bundle === undefined || keys === undefined || policy === undefined) throw new Error('no vectors');
  const { receipt } = JSON.parse(line(bundle));
  const list = text('list', `${JSON.stringify(receipt)}\n${line(bundle)}\n`);
  const [, problem] = said(await judged([list, keys, policy])).find(([name]) => name === 'list') ?? [];
  expect(problem).toStartWith('The list begins with a receipt and has bundles');
  const reversed = text('list', `${line(bundle)}\n${JSON.stringify(receipt)}\n`);
  const [row] = await judged([reversed, keys, policy]);
  if (row === undefined || !('list' in row)) throw new Error('there is no list');
  expect(row.list.problems.map((problem) => 'problems' in problem && problem.problems.at(-1))).toContain(
    'it is no bundle, so that what --policy and --fresh demand cannot be checked',
  );
  const [, sentence] = said(await judged([list, keys])).find(([name]) => name === 'list') ?? [];
  expect(sentence).toStartWith('valid: all 2 receipts');
});

test('a file that is named like one that is not used is judged all the same', async () => {
  const keys = file('receipt-proof/keys.json');
  const rows = said(
    await judged(
      [
        { ...keys, name: 'a' },
        { ...file('receipt-proof/receipt.json'), name: 'a' },
      ],
      {
        baked: { keys, policy: null },
      },
    ),
  );
  expect(rows.map(([, verdict]) => verdict)).toContain('valid');
});

test('no entry is said to be used with a receipt, which needs none', async () => {
  const files = ['receipt-proof/receipt.json', 'cose-receipt/other-entry.json', 'receipt-proof/keys.json'];
  const rows = said(await judged(files.map((name) => file(name))));
  expect(rows[0]).toEqual(['receipt-proof/receipt.json', 'valid']);
  expect(rows.find(([name]) => name?.includes('entry'))?.[1]).toStartWith('No document here needs it');
});

test('a list is judged line by line, and its problems are named', async () => {
  const receipt = JSON.stringify(
    JSON.parse(readFileSync(join(VECTORS, 'receipt-proof/receipt.json'), 'utf8')),
  );
  const rows = await judged([text('list', `${receipt}\n{}\n${receipt}\n`), file('receipt-proof/keys.json')]);
  const [row] = rows;
  if (row === undefined || !('list' in row)) throw new Error('there is no list');
  expect(row.list.summary).toMatchObject({ checked: 3, valid: 2, verdicts: { malformed: 1, valid: 2 } });
  expect(row.list.problems.map(({ line }) => line)).toEqual([2]);
});

describe('a policy is used where countersign verify accepts --policy:', () => {
  const KINDS: KindInputs[] = [
    ...(['receipt', 'bundle', 'evidence', 'evidenceBundle', 'package', 'credential'] as const),
    ...(['citesLogs', 'cose', 'statement', 'issued', 'selfContained'] as const),
  ];
  test.each(KINDS)('%s', (kind) => {
    for (const proof of [undefined, utf8.encode('c2sp.org/tlog-proof@v1\n')]) {
      const options = { keys: 'k', policy: 'p', ...(kind === 'cose' && { entry: 'e' }) };
      const withProof =
        proof === undefined || (kind !== 'receipt' && kind !== 'evidence') ? {} : { proof: 'x' };
      expect([kind, withProof, usesPolicy(kind, proof)]).toEqual([
        kind,
        withProof,
        accepts(kind, { ...options, ...withProof }),
      ]);
    }
  });
});

function accepts(kind: KindInputs, options: { keys: string; policy: string }): boolean {
  try {
    requireOptions(kind, options);
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return false;
  }
}

test('checks and their results are said in words', () => {
  expect([checkInWords('hash'), checkInWords('key_status')]).toEqual(['The content hash', 'Key status']);
  expect([true, false, null, 'wrong_log', 'ok', 'none'].map((result) => resultInWords(result))).toEqual([
    { words: 'ok', end: 'good' },
    { words: 'failed', end: 'bad' },
    { words: 'not checked', end: 'open' },
    { words: 'wrong log', end: 'bad' },
    { words: 'ok', end: 'good' },
    { words: 'none', end: 'open' },
  ]);
});

describe('the files of a genuine document are found by what they say:', () => {
  test.each(['credential', 'evidence', 'cose-receipt', 'receipt-proof', 'agora-proposal'])(
    '%s',
    async (kind) => {
      let withOthers = 0;
      const wrong: unknown[] = [];
      for (const one of casesOf(kind)) {
        const { proof, status, entry, log, policy, log_key, any_log } = one.beside;
        // What no file says: which log is meant.
        const isOfFiles = [log, policy, log_key, any_log].every((option) => option === undefined);
        if (one.verdict !== 'valid' || !isOfFiles) continue;
        const others = [proof, status, entry].filter((path) => path !== undefined);
        const files = others.map((path) => ({ name: path, bytes: new Uint8Array(readFileSync(path)) }));
        const keys = text('keys', JSON.stringify(one.keys));
        const rows = await judged([keys, { name: 'document', bytes: one.document }, ...files], {
          now: one.now,
        });
        const row = rows.find(({ file: name }) => name === 'document');
        const isValid = row !== undefined && 'described' in row && row.described.result.verdict === 'valid';
        if (!isValid) wrong.push([one.name, row]);
        if (row !== undefined && 'with' in row && row.with.length > 0) withOthers++;
      }
      expect(wrong).toEqual([]);
      expect(withOthers > 0).toBe(kind !== 'agora-proposal');
    },
  );
});

test('a receipt of a linked account is judged with its leaves too, if its manifest proves them', async () => {
  const [manifest, keys] = ['a-final-receipt.manifest.json', 'keys.json'].map((name) =>
    file(`linked-receipt/${name}`),
  );
  const receipts: { name: string; receipt: string; manifest: string }[] = JSON.parse(
    readFileSync(join(VECTORS, 'linked-receipt/receipts.json'), 'utf8'),
  );
  const receipt = receipts.find((one) => one.manifest === 'a-final-receipt.manifest.json')?.receipt ?? '';
  if (manifest === undefined || keys === undefined) throw new Error('there are files');
  const document = file(`linked-receipt/${receipt}`);
  const rows = await judged([document, manifest, keys]);
  const judgedAs = rows.flatMap((row) => ('judgedAs' in row ? [row.judgedAs] : []));
  expect(judgedAs).toEqual(['receipt', 'receipt of a linked account (--linked)']);
  const [proofless] = await judged([document, keys, { ...text('m', '{}'), role: 'linked' }]);
  expect(said(proofless === undefined ? [] : [proofless])[0]?.[1]).toStartWith(
    'The public manifest does not prove',
  );
});

test('a COSE receipt without an entry is not judged, and keys that are none judge nothing', async () => {
  const keys = file('cose-receipt/keys.json');
  const [cose] = said(await judged([file('receipt-proof/receipt.cose'), keys]));
  expect(cose?.[1]).toStartWith('A COSE receipt does not have the entry');
  const broken = said(
    await judged(
      [file('receipt-proof/receipt.json'), text('keys.json', '{"keys":7}')].map((one) =>
        one.name === 'keys.json' ? { ...one, role: 'keys' as const } : one,
      ),
    ),
  );
  expect(broken[0]?.[1]).toStartWith('keys.json is no list of trusted keys');
});
