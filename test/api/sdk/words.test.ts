import { expect, test } from 'bun:test';
import { documents } from '../../../scripts/sdk/documents.ts';
import { camelCase, commandVerb, EXCEPTION_IDS, snakeCase, wordsOf } from '../../../src/sdk/words.ts';

interface Operation {
  service: string;
  operationId: string;
  tag: string;
}

/** Returns the operations of a document. */
function operationsOf([service, document]: [string, unknown]): Operation[] {
  return Object.values(Object(Object(document).paths)).flatMap((item) =>
    Object.values(Object(item)).map((operation) => {
      const { operationId, tags } = Object(operation);
      return { service, operationId: String(operationId), tag: String(tags) };
    }),
  );
}

const operations = Object.entries(await documents()).flatMap(operationsOf);

test('every operation has words of its own, in each document and on the command line', () => {
  expect(operations.length).toBeGreaterThan(130);
  for (const service of new Set(operations.map((operation) => operation.service))) {
    const own = operations.filter((operation) => operation.service === service);
    const words = own.map(({ tag, operationId }) => wordsOf(tag, operationId));
    const spoken = words.map((one) => `${one.group} ${commandVerb(one)}`);
    expect(new Set(spoken).size).toBe(own.length);
    expect(spoken.filter((text) => !/^[a-z][a-z0-9]*(?:-[a-z]+)* [a-z]+(?:-[a-z0-9]+)*$/.test(text))).toEqual(
      [],
    );
  }
});

test('an exception is one of an operation', () => {
  const ids = new Set(operations.map(({ operationId }) => operationId));
  expect(EXCEPTION_IDS.filter((id) => !ids.has(id))).toEqual([]);
});

test.each([
  ['Receipts', 'issueReceipt', 'receipts issue'],
  ['Receipts', 'getReceipt', 'receipts show'],
  ['Receipts', 'listReceiptVersions', 'receipts versions'],
  ['Receipts', 'getPublicManifest', 'receipts public-manifest'],
  ['Requisitions', 'submitJob', 'requisitions submit'],
  ['Gate', 'verifyGate', 'gate check'],
])('the command of the operation %s %s is %s', (tag, operationId, command) => {
  const words = wordsOf(tag, operationId);
  expect(`${words.group} ${commandVerb(words)}`).toBe(command);
});

test('a tag without a group is refused', () => {
  expect(() => wordsOf('Weather', 'getWeather')).toThrow('the tag Weather has no group');
});

test('each language writes a word in its own case', () => {
  expect([camelCase('public-manifest'), snakeCase('public-manifest')]).toEqual([
    'publicManifest',
    'public_manifest',
  ]);
});
