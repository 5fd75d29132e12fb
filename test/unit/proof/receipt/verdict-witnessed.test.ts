import { describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { parseLogPolicy } from '../../../../src/proof/log/log-policy.ts';
import { readLogProof } from '../../../../src/proof/log/log-proof.ts';
import { formatNote, formatVerifierKey, parseNote } from '../../../../src/proof/log/note.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import { isAsAsked, judge, type VerdictOptions } from '../../../../src/proof/receipt/verdict.ts';
import { leafOf, signedReceipt, smallLog } from '../../../support/small-log.ts';
import { example, KEYS, keysDocument, payload } from '../../../support/worked-example.ts';
import { newNoteSigner } from '../log/signed-notes.ts';
import { asDocument } from './signed-receipts.ts';

const NOW = Date.parse(example.at);
const SECONDS = NOW / 1000;
const keys = readTrustedKeys(nativePrimitives, keysDocument);
const logKeys = readLogKeys(nativePrimitives, keysDocument).trusted;
const witness = newNoteSigner('witness.example', 'cosignature');
const policy = {
  policy: parseLogPolicy(nativePrimitives, `witness north ${formatVerifierKey(witness.key)}\nquorum north\n`),
  logKeys,
};
const document = asDocument(example.receipt);

/** Returns a checkpoint or the text of a proof with one more signature: its checkpoint is at the end. */
function cosigned(text: string, seconds = SECONDS): string {
  const start = text.startsWith('c2sp.org/') ? text.indexOf('\n\n') + 2 : 0;
  const note = parseNote(Buffer.from(text.slice(start)));
  const signatures = [...note.signatures, witness.sign(note.text, seconds)];
  return text.slice(0, start) + formatNote({ text: note.text, signatures });
}

/** The same log keys signed another first receipt: a view that nobody else was shown. */
const fork = smallLog(
  example.log.origin,
  [
    leafOf(signedReceipt(KEYS.receipts, payload(7)), '2026-05-01T12:00:00.000Z'),
    ...example.log.entries.slice(1),
  ],
  [KEYS.log],
);
const revocations = (checkpoint: string, time: number | null = NOW) => ({
  revoked: new Set<string>(),
  time,
  checkpoint: new Uint8Array(Buffer.from(checkpoint)),
});
const given = (proof: string) => ({
  proof: readLogProof(nativePrimitives, Buffer.from(proof)),
  keys: logKeys,
});
const verdictOn = (options: Partial<VerdictOptions>) =>
  judge(nativePrimitives, document, { keys, now: NOW, ...options });

describe('a policy of witnesses', () => {
  test.each([
    ['native', nativePrimitives],
    ['noble', noblePrimitives],
  ])(
    'accepts the view of the log that they saw, and refuses a fork by the same keys (%s)',
    (_name, primitives) => {
      const seen = cosigned(example.proof);
      const hidden = fork.proof(example.index);
      const outcome = (proof: string, asked: VerdictOptions['policy']) => {
        const result = judge(primitives, document, { keys, now: NOW, proof: given(proof), policy: asked });
        return [isAsAsked(result), result.checks.proof, result.checks.quorum, result.position ?? null];
      };
      const position = { log: example.log.origin, index: example.index };
      expect(outcome(seen, policy)).toEqual([true, 'ok', 'ok', position]);
      expect(outcome(seen, undefined)).toEqual([true, 'ok', undefined, position]);
      expect(outcome(hidden, undefined)).toEqual([true, 'ok', undefined, position]);
      expect(outcome(hidden, policy)).toEqual([false, 'ok', 'missing', null]);
      const stolen = hidden + seen.slice(seen.lastIndexOf('\n—') + 1);
      expect(outcome(stolen, policy)).toEqual([false, 'ok', 'bad', null]);
    },
  );

  test('says who is missing', () => {
    const { problems, cosignatures } = verdictOn({ proof: given(example.proof), policy });
    expect(problems).toEqual([
      'quorum: the cosignatures do not meet the quorum of the policy; the checkpoint of receipts.example/receipts with 3 entries is ' +
        'cosigned by no witness, not by north',
    ]);
    expect(cosignatures).toHaveLength(1);
  });

  test('does not let a hidden view make the signatures of an ended key count', () => {
    const ended = readTrustedKeys(nativePrimitives, {
      keys: [
        {
          ...Object(keysDocument.keys)[0],
          status: 'compromised',
          valid_until: '2026-05-02T00:00:00.000Z',
          receipts_logs: [example.log.origin],
          receipts_tree_size: 3,
        },
      ],
    });
    const keyCheck = (proof: string) => {
      const { verdict, checks } = verdictOn({ keys: ended, proof: given(proof), policy });
      return [verdict, checks.key];
    };
    expect(keyCheck(cosigned(example.proof))).toEqual(['valid', 'trusted']);
    expect(keyCheck(example.proof)).toEqual(['key_compromised', 'compromised']);
  });

  test('does not check the cosignatures of an invalid proof', () => {
    const proof = { ...given(cosigned(example.proof)), keys: [] };
    const { checks, cosignatures } = verdictOn({ proof, policy });
    expect([checks.proof, checks.quorum, cosignatures]).toEqual(['bad', 'unchecked', []]);
    expect(judge(nativePrimitives, 'nothing', { keys, now: NOW, proof, policy }).checks.quorum).toBe(
      'unchecked',
    );
  });

  test('dates the log of revocations by the witnesses, or by the log if that says an earlier time', () => {
    const note = example.log.checkpoint;
    const check = (seconds: number, time: number | null = NOW) => {
      const { checks } = verdictOn({ revocations: revocations(cosigned(note, seconds), time), policy });
      return [checks.revocation, checks.quorum];
    };
    expect(check(SECONDS, null)).toEqual(['ok', 'ok']);
    expect(check(SECONDS - 900)).toEqual(['ok', 'ok']);
    expect(check(SECONDS - 901)).toEqual(['stale', 'ok']);
    // Anyone can have the witnesses cosign the last checkpoint of an ended log again.
    expect(check(SECONDS, NOW - 900_000)).toEqual(['ok', 'ok']);
    expect(check(SECONDS, NOW - 900_001)).toEqual(['stale', 'ok']);
    expect(check(SECONDS, NOW + 86_400_000)).toEqual(['ok', 'ok']);
    expect(check(SECONDS + 61)).toEqual(['ok', 'future']);
    const bare = verdictOn({ revocations: revocations(note), policy });
    expect([bare.checks.revocation, bare.checks.quorum, isAsAsked(bare)]).toEqual(['ok', 'missing', false]);
  });

  test('is only met when both the proof and the log of revocations are cosigned', () => {
    const both = (proof: string, note: string) => {
      const result = verdictOn({ proof: given(proof), revocations: revocations(note), policy });
      return [isAsAsked(result), result.checks.quorum, result.problems.length];
    };
    const note = example.log.checkpoint;
    expect(both(cosigned(example.proof), cosigned(note))).toEqual([true, 'ok', 0]);
    expect(both(cosigned(example.proof), note)).toEqual([false, 'missing', 1]);
    expect(both(example.proof, cosigned(note))).toEqual([false, 'missing', 1]);
  });

  test('with `quorum none` accepts what nobody cosigned', () => {
    const none = { policy: parseLogPolicy(nativePrimitives, 'quorum none\n'), logKeys };
    const result = verdictOn({ proof: given(example.proof), policy: none });
    expect([isAsAsked(result), result.checks.quorum]).toEqual([true, 'none']);
  });

  test('accepts the cosignatures of today for the expiry of another day', () => {
    const later = SECONDS + 86_400;
    const proof = given(cosigned(example.proof, later));
    expect(verdictOn({ proof, policy }).checks.quorum).toBe('future');
    expect(verdictOn({ proof, policy, clock: later * 1000 }).checks.quorum).toBe('ok');
  });
});
