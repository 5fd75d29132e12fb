import { describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { parseLogPolicy } from '../../../../src/proof/log/log-policy.ts';
import { formatNote, formatVerifierKey, parseNote } from '../../../../src/proof/log/note.ts';
import { isPackageAsAsked, judgePackage } from '../../../../src/proof/package/verdict.ts';
import {
  citedCheckpoint,
  GENERATED_AT,
  packageKeys,
  packageLogs,
  signedPackage,
  unsignedPackage,
} from '../../../support/compliance-package.ts';
import { newNoteSigner } from '../log/signed-notes.ts';

const now = Date.parse(GENERATED_AT);
const keys = readTrustedKeys(nativePrimitives, packageKeys);
const logKeys = readLogKeys(nativePrimitives, packageKeys).trusted;
const witness = newNoteSigner('witness.example', 'cosignature');
const policyOf = (quorum: string) => ({
  policy: parseLogPolicy(
    nativePrimitives,
    `witness north ${formatVerifierKey(witness.key)}\nquorum ${quorum}\n`,
  ),
  logKeys,
});

type Cosigned = 'by the witness' | 'in the future' | 'wrongly' | 'not';

/** Returns the checkpoint of a log of the package, cosigned in one way. */
function checkpoint(log: 'receipts' | 'evidence', how: Cosigned): JsonObject {
  const note = parseNote(Buffer.from(packageLogs[log].checkpoint));
  if (how === 'not') return citedCheckpoint(log);
  const line = witness.sign(
    how === 'wrongly' ? parseNote(Buffer.from(packageLogs.keys.checkpoint)).text : note.text,
    now / 1000 + (how === 'in the future' ? 61 : 0),
  );
  return {
    ...citedCheckpoint(log),
    note: formatNote({ text: note.text, signatures: [...note.signatures, line] }),
  };
}

function judged(checkpoints: JsonObject[], quorum = 'north', kind: 'audit' | 'datacenter' = 'audit') {
  const document = signedPackage({ ...unsignedPackage(kind), checkpoints });
  return judgePackage(nativePrimitives, Buffer.from(JSON.stringify(document)), {
    keys,
    logKeys,
    now,
    policy: policyOf(quorum),
  });
}

describe('a policy of witnesses for a compliance package', () => {
  for (const [how, check, isMet] of [
    ['by the witness', 'ok', true],
    ['in the future', 'future', false],
    ['wrongly', 'bad', false],
    ['not', 'missing', false],
  ] as const) {
    test(`has the quorum check ${check} for a checkpoint that is cosigned ${how}`, () => {
      const result = judged([checkpoint('evidence', how)]);
      expect([result.verdict, result.checks.quorum, isPackageAsAsked(result)]).toEqual([
        'valid',
        check,
        isMet,
      ]);
      expect(result.problems.map((problem) => problem.split(':')[0])).toEqual(isMet ? [] : ['quorum']);
      expect(result.cosignatures?.map(({ log }) => log)).toEqual([packageLogs.evidence.origin]);
    });
  }

  test('must be met by every cited checkpoint', () => {
    const result = judged([checkpoint('receipts', 'not'), checkpoint('evidence', 'by the witness')]);
    expect([result.verdict, result.checks.quorum]).toEqual(['valid', 'missing']);
  });

  test('that demands no witness is met by a checkpoint without cosignatures', () => {
    const result = judged([checkpoint('evidence', 'not')], 'none');
    expect([result.checks.quorum, isPackageAsAsked(result)]).toEqual(['none', true]);
  });

  test('is not met by a package whose checkpoints are not signed by their logs', () => {
    const result = judged([{ ...checkpoint('evidence', 'by the witness'), tree_size: 9 }]);
    expect([result.verdict, result.checks.quorum]).toEqual(['bad_checkpoint', 'unchecked']);
  });

  test('is not met by a malformed package', () => {
    const result = judgePackage(nativePrimitives, Buffer.from('{}'), {
      keys,
      logKeys,
      now,
      policy: policyOf('north'),
    });
    expect([result.verdict, result.checks.quorum, isPackageAsAsked(result)]).toEqual([
      'malformed',
      'unchecked',
      false,
    ]);
  });
});
