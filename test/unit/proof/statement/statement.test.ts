import { describe, expect, test } from 'bun:test';
import { genuineIn } from '../../../../scripts/vectors/statements.ts';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { SIGNED_TYPES } from '../../../../src/proof/keys/signed-types.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { judgeAgentObject } from '../../../../src/proof/statement/agent-object.ts';
import { STATEMENT_KINDS } from '../../../../src/proof/statement/kinds.ts';
import { judgeStatement } from '../../../../src/proof/statement/verdict.ts';
import { packageKeys } from '../../../support/compliance-package.ts';
import { signedStatement } from '../../../support/signed-statement.ts';

const keys = readTrustedKeys(nativePrimitives, packageKeys);
const bytesOf = (document: JsonObject): Uint8Array => Buffer.from(JSON.stringify(document));
const [passport] = STATEMENT_KINDS.filter(({ type }) => type === 'passport');
if (passport === undefined) throw new Error('a passport is a kind of statement');
const genuine = genuineIn('passport').get('genuine') ?? {};
const dated = Date.parse(String(genuine.as_of));
const judged = (document: JsonObject, options: Partial<Parameters<typeof judgeStatement>[3]> = {}) =>
  judgeStatement(nativePrimitives, passport, bytesOf(document), { keys, at: dated, now: dated, ...options });

test('every signed type is a statement, or has a verdict of its own', () => {
  const statements = STATEMENT_KINDS.map(({ type }) => type);
  const others = [
    ...['agent-auth', 'arbiter-consent', 'assessment', 'compliance-package', 'datacenter-scorecard'],
    ...['instrument-attestation', 'key-event'],
  ];
  expect([...statements, ...others].sort()).toEqual([...SIGNED_TYPES].sort());
});

describe('a statement', () => {
  test('is verified at a time in the past, which does not make its date one in the future', () => {
    expect(judged(genuine, { at: dated - 1e9, now: dated }).verdict).toBe('valid');
    expect(judged(genuine, { at: dated - 1e9, now: dated - 1e9 }).verdict).toBe('future');
    expect(judged(genuine, { now: dated + 1e11 }).verdict).toBe('valid');
  });

  test('is refused by an invalid clock', () => {
    expect(judged(genuine, { at: Number.NaN }).verdict).toBe('expired');
    expect(judged(genuine, { now: Number.NaN }).verdict).toBe('future');
  });

  test('by a key that one of two lists calls compromised does not count', () => {
    const stolen = keys.map((key) => ({ ...key, status: 'compromised' as const }));
    const { verdict, authentic, statement } = judged(genuine, { keys: [...keys, ...stolen] });
    expect([verdict, authentic, statement]).toEqual(['key_compromised', false, null]);
  });

  test('of many megabytes is judged, and one that nests deep is malformed', () => {
    const large = signedStatement({ ...genuine, more: Array.from({ length: 500_000 }, (_, index) => index) });
    expect(judged(large).verdict).toBe('valid');
    expect(judged({ ...large, more: [] }).verdict).toBe('bad_signature');
    const deep = JSON.stringify(genuine).replace('{', `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)},`);
    const options = { keys, at: dated, now: dated };
    expect(judgeStatement(nativePrimitives, passport, Buffer.from(deep), options).verdict).toBe('malformed');
  });

  test.each(['', '[]', 'null', '7', '{', '{"type":"passport"}', '\xff'])('is malformed: %s', (text) => {
    const bytes = Buffer.from(text, 'latin1');
    const result = judgeStatement(nativePrimitives, passport, bytes, { keys, at: dated, now: dated });
    expect([result.verdict, result.authentic, result.problems.length > 0]).toEqual([
      'malformed',
      false,
      true,
    ]);
    expect(new Set(Object.values(result.checks))).toEqual(new Set(['unchecked']));
  });
});

describe('an object that an agent signed', () => {
  const authorization = genuineIn('agent-auth').get('genuine') ?? {};
  const judgedObject = (bytes: Uint8Array, at = Date.parse('2026-06-01T12:00:30.000Z')) =>
    judgeAgentObject(nativePrimitives, 'agent-auth', bytes, { at });

  test('is refused by an invalid clock', () => {
    expect(judgedObject(bytesOf(authorization)).verdict).toBe('valid');
    expect(judgedObject(bytesOf(authorization), Number.NaN).verdict).toBe('expired');
  });

  test.each(['', '[]', '{', '{"payload":7}', '\xff'])('is malformed: %s', (text) => {
    const { verdict, object } = judgedObject(Buffer.from(text, 'latin1'));
    expect([verdict, object]).toEqual(['malformed', null]);
  });
});
