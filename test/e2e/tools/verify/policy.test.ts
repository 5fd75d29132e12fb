import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nativePrimitives, signEd25519 } from '../../../../src/platform/crypto/crypto.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { agentRevocationEntryText } from '../../../../src/proof/log/log-entry.ts';
import {
  formatNote,
  formatVerifierKey,
  keyIdOf,
  parseNote,
  SIGNATURE_TYPES,
} from '../../../../src/proof/log/note.ts';
import { cosignatureBytes, signedMessage } from '../../../../src/proof/log/note-signature.ts';
import { encodeEntries } from '../../../../src/proof/log/tiles.ts';
import { run, scratch } from '../../../support/process.ts';
import { hasPython, runPython, runsOfPython } from '../../../support/python.ts';
import { keyRow, leafOf, signedReceipt, smallLog, testKey, verifierOf } from '../../../support/small-log.ts';
import { saidByProgram } from '../../../support/verdicts/program.ts';
import { example, KEYS, payload } from '../../../support/worked-example.ts';
import { COLLIDING_SEEDS, type NoteSigner, newNoteSigner } from '../../../unit/proof/log/signed-notes.ts';

const directory = scratch();
const file = (name: string): string => join(directory.path, name);
const save = (name: string, content: string | Uint8Array): string => {
  mkdirSync(dirname(file(name)), { recursive: true });
  writeFileSync(file(name), content);
  return file(name);
};
/** Of the log of revocations, which the example has not. */
const revocationsKey = testKey(6);
const SECONDS = Date.parse(example.at) / 1000;
const [north, south, stranger] = ['north', 'south', 'stranger'].map((name) =>
  newNoteSigner(`${name}.example`, 'cosignature'),
);

const witnessLines = (...of: [name: string, key: NoteSigner | undefined][]): string =>
  of.map(([name, signer]) => (signer ? `witness ${name} ${formatVerifierKey(signer.key)}\n` : '')).join('');
const BOTH = `${witnessLines(['north', north], ['south', south])}group both all north south\nquorum both\n`;

/** The log's key as that of a witness. */
const { publicKey } = verifierOf(KEYS.log, 'own');
const type = SIGNATURE_TYPES.cosignature;
const keyId = keyIdOf(nativePrimitives, 'own', type, publicKey);
const OWN_KEY = formatVerifierKey({ name: 'own', type, publicKey, keyId });

function cosigned(text: string, signers: readonly (NoteSigner | undefined)[], seconds = SECONDS): string {
  const start = text.startsWith('c2sp.org/') ? text.indexOf('\n\n') + 2 : 0;
  const note = parseNote(Buffer.from(text.slice(start)));
  const more = signers.flatMap((signer) => (signer ? [signer.sign(note.text, seconds)] : []));
  return text.slice(0, start) + formatNote({ text: note.text, signatures: [...note.signatures, ...more] });
}

async function verify(...args: string[]) {
  const { code, stdout, stderr } = await run(
    ['verify', '-', '--keys', file('keys.json'), '--at', example.at, ...args],
    { stdin: JSON.stringify(example.receipt) },
  );
  return { code, stderr, result: stdout.startsWith('{\n') ? JSON.parse(stdout) : null };
}

/** Saves a log of revocations with one of another receipt and one of an agent. */
function revocations(
  name: string,
  signers: readonly (NoteSigner | undefined)[],
  seconds = SECONDS,
  origin = 'receipts.example/revocations',
): string {
  const entries = [
    example.revocationEntry.replace(example.receipt.receipt_id, payload(5).receipt_id),
    agentRevocationEntryText({ subject_commitment: 'ab'.repeat(32), at: '2026-06-01T12:00:00.000Z' }),
  ];
  const log = smallLog(origin, entries, [revocationsKey]);
  save(`${name}/revocations/checkpoint`, cosigned(log.checkpoint, signers, seconds));
  const bundle = encodeEntries(entries.map((entry) => Buffer.from(entry)));
  save(`${name}/revocations/tile/entries/000.p/2`, bundle);
  return file(name);
}

beforeAll(() => {
  const rows: JsonObject[] = Object(example.keys.keys);
  const keys = [...rows, keyRow(revocationsKey, 'revocations-log')];
  save('keys.json', JSON.stringify({ ...example.keys, keys }));
  save('unnamed.json', JSON.stringify({ keys }));
  save('bare', example.proof);
  save('proof', cosigned(example.proof, [north, south]));
  save('policy', BOTH);
});
afterAll(() => directory.dispose());

describe('verify --policy', () => {
  test('accepts a proof that enough witnesses cosigned, and says who did', async () => {
    const { code, result, stderr } = await verify('--proof', file('proof'), '--policy', file('policy'));
    expect([code, result.checks.proof, result.checks.quorum]).toEqual([0, 'ok', 'ok']);
    expect(result.cosignatures).toEqual([
      {
        check: 'ok',
        log: example.log.origin,
        tree_size: 3,
        signed: [
          { witness: 'north', at: '2026-06-01T12:01:00.000Z' },
          { witness: 'south', at: '2026-06-01T12:01:00.000Z' },
        ],
        missing: [],
        attested_at: '2026-06-01T12:01:00.000Z',
      },
    ]);
    expect(stderr).toMatch(
      /^valid: .*\n {2}signer: .*\n {2}log: .*\n {2}quorum: .* is cosigned by north \(.*\), south \(.*\)\n$/,
    );
  });

  test('refuses one that lacks a witness, and says which', async () => {
    const half = save('half', cosigned(example.proof, [north, stranger]));
    for (const [proof, by] of [
      [half, 'north (2026-06-01T12:01:00.000Z), not by south'],
      [file('bare'), 'no witness, not by north, south'],
    ]) {
      expect((await verify('--proof', proof ?? '')).code).toBe(0);
      const { code, result, stderr } = await verify('--proof', proof ?? '', '--policy', file('policy'));
      expect([code, result.verdict, result.checks.quorum]).toEqual([1, 'valid', 'missing']);
      expect(stderr).toMatch(/^not proven: The receipt itself is valid; .* \(quorum\)\.\n/);
      expect(stderr).toContain(`is cosigned by ${by}\n`);
    }
  });

  test('refuses the view of a forked log that the witnesses have not seen', async () => {
    const first = leafOf(signedReceipt(KEYS.receipts, payload(7)), '2026-05-01T12:00:00.000Z');
    const fork = smallLog(example.log.origin, [first, ...example.log.entries.slice(1)], [KEYS.log]);
    const view = save('fork', fork.proof(example.index));
    expect((await verify('--proof', view)).code).toBe(0);
    const refused = await verify('--proof', view, '--policy', file('policy'));
    expect([refused.code, refused.result.checks.quorum, refused.result.position]).toEqual([
      1,
      'missing',
      null,
    ]);
    // With the cosignatures of the other view.
    const lines = cosigned(example.proof, [north, south]).split('\n').slice(-3).join('\n');
    const copied = await verify('--proof', save('copied', fork.proof(1) + lines), '--policy', file('policy'));
    expect([copied.code, copied.result.checks.quorum]).toEqual([1, 'bad']);
  });

  test('checks the log of revocations, whose date is then that of the quorum', async () => {
    const outcome = async (place: string, ...args: string[]) => {
      const { code, result } = await verify('--revocations', place, ...args);
      return [code, result.checks.revocation, result.checks.quorum];
    };
    const policy = ['--policy', file('policy')];
    expect(await outcome(revocations('seen', [north, south]), ...policy)).toEqual([0, 'ok', 'ok']);
    expect(await outcome(revocations('unseen', [north]), ...policy)).toEqual([1, 'undated', 'missing']);
    expect(await outcome(revocations('old', [north, south], SECONDS - 901), ...policy)).toEqual([
      1,
      'stale',
      'ok',
    ]);
    const many = (place: string) =>
      run(
        [
          'verify',
          '-',
          '--ndjson',
          '--keys',
          file('keys.json'),
          '--at',
          example.at,
          '--revocations',
          place,
        ].concat(policy),
        { stdin: `${JSON.stringify(example.receipt)}\n` },
      );
    expect((await many(file('seen'))).code).toBe(0);
    const unseen = await many(file('unseen'));
    expect([unseen.code, unseen.stderr]).toEqual([1, expect.stringContaining('not by south')]);
  });

  test('is hidden from no receipt by another log of revocations of the same key, cosigned or not', async () => {
    const hiding = revocations('hiding', [north, south], SECONDS, 'receipts.example-1/revocations');
    const outcome = async (...args: string[]) => {
      const { code, result, stderr } = await verify('--revocations', hiding, ...args);
      expect(stderr).toContain('log: receipts.example-1/revocations has 2 entries, signed without a time');
      return [code, result.checks.revocation, result.revocation, result.checks.quorum];
    };
    const policy = ['--policy', file('policy')];
    const wrong = [1, 'wrong_log', 'not_checked'];
    expect(await outcome()).toEqual([...wrong, undefined]);
    expect(await outcome('--any-log')).toEqual([...wrong, undefined]);
    expect(await outcome(...policy)).toEqual([...wrong, 'unchecked']);
    const closed = formatVerifierKey(verifierOf(revocationsKey, 'receipts.example-1/revocations'));
    expect(await outcome(...policy, '--log-key', closed)).toEqual([0, 'ok', 'ok', 'ok']);
    const named = save('named', `log ${closed}\n${BOTH}`);
    expect(await outcome('--policy', named)).toEqual([0, 'ok', 'ok', 'ok']);
    // Of a list that names no log, the last --keys counts.
    const unnamed = ['--keys', file('unnamed.json'), ...policy];
    expect(await outcome(...unnamed)).toEqual([1, 'log_not_named', 'not_checked', 'unchecked']);
    expect(await outcome(...unnamed, '--any-log')).toEqual([0, 'ok', 'ok', 'ok']);
    const many = await run(
      ['verify', '-', '--ndjson', '--keys', file('keys.json'), '--revocations', hiding, ...policy],
      { stdin: `${JSON.stringify(example.receipt)}\n` },
    );
    expect([many.code, many.stdout, many.stderr]).toEqual([1, '', expect.stringContaining('wrong_log: ')]);
  });

  test('trusts only the keys in the log lines of the policy, if there are any', async () => {
    const logLine = (name: string, key = KEYS.log) =>
      `log ${formatVerifierKey(verifierOf(key, name))} https://receipts.example\n`;
    const by = async (text: string, ...args: string[]) => {
      const policy = save('with-log', text + BOTH);
      const { code, result } = await verify('--proof', file('proof'), '--policy', policy, ...args);
      return [code, result?.checks.proof, result?.checks.quorum];
    };
    expect(await by(logLine(example.log.origin))).toEqual([0, 'ok', 'ok']);
    expect(await by(logLine('other.example/receipts'))).toEqual([1, 'wrong_log', 'unchecked']);
    expect(await by(logLine('other.example/evidence'))).toEqual([1, 'bad', 'unchecked']);
    expect(await by(logLine(example.log.origin, KEYS.credentials))).toEqual([1, 'bad', 'unchecked']);
    const named = ['--log-key', example.logKey];
    expect(await by(logLine(example.log.origin), ...named)).toEqual([2, undefined, undefined]);
    expect(await by('', ...named)).toEqual([0, 'ok', 'ok']);
  });

  test('refuses a policy that is invalid, and one with nothing to check', async () => {
    const refused = async (text: string) => {
      const { code, stderr } = await verify('--proof', file('proof'), '--policy', save('wrong', text));
      return [code, stderr];
    };
    const cases: [string, string][] = [
      ['', 'wrong is empty'],
      [`${witnessLines(['a', north], ['b', north])}quorum a\n`, 'line 2: the public key is the same'],
      [`${witnessLines(['a', north], ['a', south])}quorum a\n`, 'line 2: the name a is already used'],
      ['quorum north\n', 'line 1: no previous line defines'],
      [`\nwitness own ${OWN_KEY}\nquorum own\n`, 'line 2: the witness own has a key of the log'],
    ];
    for (const [text, message] of cases)
      expect(await refused(text)).toEqual([2, expect.stringContaining(message)]);
    const missing = await verify('--proof', file('proof'), '--policy', file('nowhere'));
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('cannot be read')]);
    const nothing = await verify('--policy', file('policy'));
    expect([nothing.code, nothing.stderr]).toEqual([
      2,
      expect.stringContaining('add --proof or --revocations'),
    ]);
  });

  test('says that `quorum none` demands nothing', async () => {
    const none = save('none', 'quorum none\n');
    const { code, result, stderr } = await verify('--proof', file('bare'), '--policy', none);
    expect([code, result.checks.quorum]).toEqual([0, 'none']);
    expect(stderr).toContain('the policy demands no cosignature (quorum none)');
  });

  test('lets no key of --log-key cosign for itself, nor does src/tools/python/verify.py', async () => {
    const key = testKey(9);
    const { name, publicKey } = verifierOf(key, example.log.origin);
    const id = keyIdOf(nativePrimitives, name, type, publicKey);
    const message = (text: string) => signedMessage(type, text, name, SECONDS);
    const itself: NoteSigner = {
      key: { name, type, publicKey, keyId: id },
      sign: (text) => ({
        name,
        keyId: id,
        signature: cosignatureBytes(SECONDS, signEd25519(key.privateKey, message(text))),
      }),
    };
    const { proof } = smallLog(example.log.origin, example.log.entries, [key]);
    const args = [
      ['--proof', save('itself', cosigned(proof(example.index), [itself]))],
      ['--log-key', formatVerifierKey(verifierOf(key, name))],
      ['--policy', save('by-itself', `${witnessLines(['itself', itself])}quorum itself\n`)],
    ].flat();
    const { code, result, stderr } = await verify(...args);
    expect([code, result]).toEqual([2, null]);
    expect(stderr).toContain('the witness itself has a key of the log');
    if (!hasPython) return;
    const receipt = save('receipt.json', JSON.stringify(example.receipt));
    const python = runPython(receipt, '--keys', file('keys.json'), '--at', example.at, ...args);
    expect([python.code, python.stderr]).toEqual([2, expect.stringContaining('has a key of the log')]);
  });

  test('lets no key of the service cosign, whatever it is for, nor does src/tools/python/verify.py', async () => {
    const { name, publicKey } = verifierOf(KEYS.credentials, 'own.example/w');
    const key = { name, type, publicKey, keyId: keyIdOf(nativePrimitives, name, type, publicKey) };
    const policy = save('by-service', `witness own ${formatVerifierKey(key)}\nquorum own\n`);
    const { code, stderr } = await verify('--proof', file('proof'), '--policy', policy);
    expect([code, stderr]).toEqual([2, expect.stringContaining('the witness own has a key of the service')]);
    if (!hasPython) return;
    const receipt = save('receipt.json', JSON.stringify(example.receipt));
    const given = [
      '--keys',
      file('keys.json'),
      '--at',
      example.at,
      '--proof',
      file('proof'),
      '--policy',
      policy,
    ];
    const python = runPython(receipt, ...given);
    expect([python.code, python.stderr]).toEqual([2, expect.stringContaining('has a key of the service')]);
  });

  test.skipIf(!hasPython)('judges like src/tools/python/verify.py', async () => {
    const logLine = (name: string): string => `log ${formatVerifierKey(verifierOf(KEYS.log, name))}\n`;
    const lines = witnessLines(['north', north], ['south', south], ['stranger', stranger]);
    const groups = 'group in any south stranger\ngroup g 2 north in\nquorum g\n';
    const policies = [
      BOTH,
      `# a comment\n\n\t${lines}${groups}`,
      logLine(example.log.origin) + lines + groups,
      logLine('other.example/receipts') + BOTH,
      `${lines}quorum stranger\n`,
      `${lines}quorum none\n`,
      'quorum none',
      `${lines}group g 4 north south stranger\nquorum g\n`,
      `${lines}group g 0 north south stranger\nquorum g\n`,
      `${lines}group g any north north\nquorum g\n`,
      `${lines}group g any north\ngroup h any north\nquorum g\n`,
      `${lines}group north any south\nquorum north\n`,
      `${lines}quorum north\nquorum north\n`,
      `${lines}quorum west\n`,
      `${lines}${lines.replaceAll(/^witness /gm, 'witness again-')}quorum north\n`,
      lines,
      `${lines}\u00a0quorum north\n`,
      `log ${example.logKey}\nlog ${example.logKey}\nquorum none\n`,
      `log ${south ? formatVerifierKey(south.key) : ''}\nquorum none\n`,
      `${witnessLines(...COLLIDING_SEEDS.map((seed, at): [string, NoteSigner] => [`w${at}`, newNoteSigner('w.example', 'cosignature', seed)]))}quorum w0\n`,
    ];
    const proofs = [
      example.proof,
      cosigned(example.proof, [north, south]),
      cosigned(example.proof, [north, north, north]),
      cosigned(example.proof, [south, stranger]),
      cosigned(cosigned(example.proof, [north]), [south], SECONDS + 10 ** 9),
      cosigned(cosigned(example.proof, [north]), [south], 0),
      cosigned(example.proof, [north, south]).replace(/[^\n]\n$/, '=\n'),
      example.proof +
        cosigned(smallLog(example.log.origin, example.log.entries.slice(1), [KEYS.log]).proof(0), [north])
          .split('\n')
          .slice(-2)
          .join('\n'),
    ];
    const receipt = save('receipt.json', JSON.stringify(example.receipt));
    const keys = file('keys.json');
    const now = Date.parse(example.at);
    const calls = proofs.flatMap((text, at) =>
      policies
        // What does not depend on cosignatures is the same with any proof.
        .filter((_, index) => at === 0 || index <= 2)
        .map((lines, index) => ({
          proof: save(`proof-${at}-${index}`, text),
          policy: save(`policy-${at}-${index}`, lines),
        })),
    );
    const theirs = await runsOfPython(
      calls.map(({ proof, policy }) => ({
        args: [receipt, '--keys', keys, '--proof', proof, '--policy', policy],
        now: now / 1000,
      })),
    );
    const outcomes: string[] = [];
    for (const [index, { code, stdout }] of theirs.entries()) {
      const options = { keys, ...calls[index] };
      const ours = await saidByProgram({ document: receipt, options, now });
      const quorums = [ours.stdout, stdout].map((text) => JSON.parse(text || '{}').checks?.quorum ?? null);
      expect([options, code, quorums[1]]).toEqual([options, ours.code, quorums[0]]);
      outcomes.push(`${code} ${quorums[0]}`);
    }
    expect([...new Set(outcomes)].sort()).toEqual([
      '0 none',
      '0 ok',
      '1 bad',
      '1 future',
      '1 missing',
      '1 unchecked',
      '2 null',
    ]);
  });
});
