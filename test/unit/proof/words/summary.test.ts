import { describe, expect, test } from 'bun:test';
import { KIND_WORDS } from '../../../../src/proof/words/kinds.ts';
import { signerOf } from '../../../../src/proof/words/signer.ts';
import { type Found, summaryOf } from '../../../../src/proof/words/summary.ts';

const VALID = { hash: 'ok', signature: 'ok', key: 'trusted' };
const receipt = (found: Partial<Found>, isAsAsked = true) =>
  summaryOf(
    KIND_WORDS.receipt,
    { verdict: 'valid', checks: VALID, revocation: 'not_checked', ...found },
    isAsAsked,
  );
const openOf = (found: Partial<Found>) => receipt(found).not_checked.map(({ check }) => check);

describe('the summary of a receipt', () => {
  test('says what nobody has looked at, and what would do so', () => {
    expect(receipt({})).toEqual({
      checked: ['hash', 'signature', 'key'],
      not_checked: [
        { check: 'proof', option: '--proof' },
        { check: 'quorum', option: '--policy, --log' },
        { check: 'revocation', option: '--status, --revocations' },
      ],
      sentence:
        'valid: The receipt is authentic, unchanged and not expired. Not checked: whether the log has it (--proof); ' +
        'whether others see the same log (--policy, --log); whether it is revoked (--status, --revocations).',
    });
  });

  test('says what more was checked', () => {
    const checks = {
      ...VALID,
      proof: 'ok',
      status: 'ok',
      quorum: 'ok',
      linked: 'ok',
      domain: 'ok',
      copy: 'ok',
    };
    expect(receipt({ checks, revocation: 'ok' })).toEqual({
      checked: Object.keys(checks),
      not_checked: [],
      sentence:
        'valid: The receipt is authentic, unchanged and not expired; it is of the domain; the log has it; ' +
        'the log of accounts has a leaf for each act; witnesses cosigned the log; it agrees with the copy of the log; it is not revoked.',
    });
  });

  test('takes neither a copy of the log nor a quorum of nobody for what others see', () => {
    const { not_checked, sentence } = receipt({ checks: { ...VALID, proof: 'ok', copy: 'ok' } });
    expect(not_checked).toContainEqual({ check: 'quorum', option: '--policy' });
    expect(sentence).toContain('whether others see the same log as the copy (--policy)');
    expect(openOf({ checks: { ...VALID, proof: 'ok', quorum: 'none' } })).toEqual(['quorum', 'revocation']);
    expect(openOf({ checks: { ...VALID, proof: 'ok', quorum: 'closed' } })).toEqual(['revocation']);
  });

  test('does not say of the end of a closed log that witnesses cosigned it', () => {
    const { sentence } = receipt({ checks: { ...VALID, proof: 'ok', quorum: 'closed' } });
    expect(sentence).toContain(
      '; witnesses cosigned the log, or the log of keys that records its end. Not checked',
    );
  });

  test('says of which log the quorum is met where no proof was given', () => {
    const { sentence, checked } = receipt({
      checks: { ...VALID, revocation: 'ok', quorum: 'ok' },
      revocation: 'ok',
    });
    expect(checked).toContain('quorum');
    expect(sentence).toBe(
      'valid: The receipt is authentic, unchanged and not expired; witnesses cosigned the log of revocations; ' +
        'it is not revoked. Not checked: whether the log has it (--proof).',
    );
  });

  test('names the checks that failed beside a valid receipt, and does not call them open', () => {
    const checks = { ...VALID, proof: 'mismatch', status: 'expired' };
    const said = receipt({ checks }, false);
    expect(said.sentence).toBe(
      'not proven: The receipt itself is valid; other checks failed (proof, status).',
    );
    expect(said.not_checked.map(({ check }) => check)).toEqual(['quorum']);
    expect(said.checked).toEqual(['hash', 'signature', 'key']);
  });

  test('says of another verdict what it means', () => {
    const said = receipt({ verdict: 'revoked', revocation: 'revoked' }, false);
    expect(said.sentence).toBe('revoked: The receipt has been revoked.');
  });
});

test('a bundle with an old status says when, and what is open since', () => {
  const checks = { ...VALID, proof: 'ok', status: 'ok', key_events: 'ok' };
  const found = { verdict: 'valid', checks, revocation: 'ok', revocation_as_of: '2026-06-01T12:00:00.000Z' };
  const said = summaryOf(KIND_WORDS.bundle, found, true, ['key_status']);
  expect(said.not_checked).toEqual([
    { check: 'quorum', option: '--policy, --log' },
    { check: 'now', option: '--fresh' },
    { check: 'key_status', option: '--keys' },
  ]);
  expect(said.sentence).toContain('; it was not revoked at 2026-06-01T12:00:00.000Z. Not checked: ');
});

test('a bundle without a proof does not say that the log agrees with a copy', () => {
  const checks = { ...VALID, status: 'ok', key_events: 'ok', copy: 'ok' };
  const { sentence } = summaryOf(KIND_WORDS.bundle, { verdict: 'valid', checks, revocation: 'ok' }, true);
  expect(sentence).toBe(
    'valid: The receipt is authentic, unchanged and not expired; its proofs in other logs agree with the copy; ' +
      'the log of keys has its keys; it is not revoked. Not checked: whether the log has it (a newer bundle); ' +
      'whether others see the same log as the copy (--policy).',
  );
});

describe('the signer of a document', () => {
  const list = {
    trusted: { did: 'did:web:trust.example', isOnly: false },
    keyLog: 'trust.example/keys',
    isSigned: true,
  };
  const unnamed = { trusted: null, keyLog: null, isSigned: true };

  test('is the service of the list, with the key that the document names', () => {
    expect(signerOf(KIND_WORDS.receipt, { kid: 'a' }, list)).toEqual({
      issuer: 'did:web:trust.example',
      is_only_claimed: false,
      kid: 'a',
      key_log: 'trust.example/keys',
    });
    expect(signerOf(KIND_WORDS.bundle, { receipt: { kid: 'a' } }, list)).toMatchObject({ kid: 'a' });
  });

  test('is only claimed if no list names it', () => {
    const credential = {
      '@context': [],
      issuer: { id: 'did:web:bank.example' },
      proof: { verificationMethod: 'did:key:z#z' },
    };
    expect(signerOf(KIND_WORDS.credential, credential, unnamed)).toEqual({
      issuer: 'did:web:bank.example',
      is_only_claimed: true,
      kid: 'did:key:z#z',
      key_log: null,
    });
    expect(signerOf(KIND_WORDS.credential, credential, list)).toMatchObject({ is_only_claimed: true });
    const own = { issuer: 'did:web:trust.example', kid: 'a' };
    expect(signerOf(KIND_WORDS.package, own, list)).toMatchObject({ is_only_claimed: false });
    expect(signerOf(KIND_WORDS.package, own, { ...list, isSigned: false })).toMatchObject({
      is_only_claimed: true,
    });
    expect(signerOf(KIND_WORDS.package, { issuer: 'did:key:z' }, unnamed)).toMatchObject({
      is_only_claimed: false,
    });
  });

  test('is nobody of what no service signs, and of what has no members', () => {
    expect(signerOf(KIND_WORDS.agora, {}, list)).toBeNull();
    expect(signerOf(KIND_WORDS.receipt, null, list)).toBeNull();
    expect(signerOf(KIND_WORDS.bundle, {}, list)).toBeNull();
    expect(signerOf(KIND_WORDS.statement, { kid: 7, issuer: 7 }, unnamed)).toEqual({
      issuer: null,
      is_only_claimed: false,
      kid: null,
      key_log: null,
    });
  });
});
