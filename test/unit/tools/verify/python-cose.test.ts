import { expect, test } from 'bun:test';
import { coseReceipt } from '../../../../scripts/vectors/cose-receipt.ts';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { casesOf, comparable, judgedDocument } from '../../../support/document-vectors.ts';
import { documentsJudgedByPython, hasPython } from '../../../support/python.ts';

test.skipIf(!hasPython)(
  'src/tools/python/verify.py verifies COSE receipts of logs with names of any length',
  async () => {
    const genuine = casesOf('cose-receipt').find(({ verdict }) => verdict === 'valid');
    if (genuine === undefined) throw new Error('there is a genuine COSE receipt');
    // The lengths of the name, and then of the protected header, need 1, 2 and 4 bytes more.
    const cases = [14, 15, 200, 246, 247, 65_300, 65_526, 65_527].map((length) => {
      const issuer = 'x'.repeat(length);
      const keys = { ...Object(genuine.keys), log: { origin: `${issuer}/keys` } };
      return { ...genuine, keys, document: coseReceipt({ issuer, subject: `${issuer}/receipts` }) };
    });
    const ours = await Promise.all(cases.map((one) => judgedDocument(nativePrimitives, one)));
    expect(ours.map(({ verdict }) => verdict)).toEqual(cases.map(() => 'valid'));
    const said = await documentsJudgedByPython(cases.map((one) => ({ ...one, now: one.now / 1000 })));
    expect(said.map(comparable)).toEqual(ours.map(comparable));
  },
);
