import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives, signEd25519 } from '../../src/platform/crypto/crypto.ts';
import { digest } from '../../src/proof/encoding/digest.ts';
import { bytesToHex, hexToBytes } from '../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { didKey } from '../../src/proof/keys/did-key.ts';
import { packageKeys } from '../../test/support/compliance-package.ts';
import { patchOf } from '../../test/support/json-patch.ts';
import { signedStatement } from '../../test/support/signed-statement.ts';
import { testKey } from '../../test/support/small-log.ts';
import { VECTORS } from '../../test/support/vectors.ts';
import { agentCases } from './agent-object-cases.ts';
import { brokenTexts } from './broken-texts.ts';
import { EARLIER_FILE, earlierCases, earlierText, unsignedEarlier } from './earlier-form.ts';
import { type StatementCase, statementCases } from './statement-cases.ts';
import { statementSamples } from './statement-samples.ts';

/** The directories of what the service and agents sign. */
export const STATEMENT_VECTORS = [
  'receipt-status',
  'gate-decision',
  'agent-profile',
  'leaderboard',
  'agent-attestation',
  'artifact-attestation',
  'passport',
  'meter',
  'account-statement',
  'presentation',
  'agent-auth',
] as const;
const AGENT = testKey(9);

const pretty = (document: JsonObject): string => `${JSON.stringify(document, null, 2)}\n`;

/** What no signature of an agent covers. */
const UNSIGNED = [
  {
    path: 'context added as passport-v1',
    page: 'signed-responses.md',
    says: '`passport-v1` written out is the same as no `context`',
  },
];

const EARLIER_METER: [name: string, text: string][] = [
  [EARLIER_FILE, earlierText('meter')],
  ['unsigned.json', `${JSON.stringify([unsignedEarlier('signed-responses.md')], null, 2)}\n`],
];

/** Returns the text of each file besides the genuine ones, which follow from them, by its name. */
function derivedVectors(kind: string, genuine: ReadonlyMap<string, JsonObject>): Map<string, string> {
  const [document = {}] = genuine.values();
  const isOfAgent = kind === 'presentation' || kind === 'agent-auth';
  const text = pretty(document);
  const cases: StatementCase[] = isOfAgent ? agentCases(kind, genuine) : statementCases(kind, genuine);
  const broken = brokenTexts(text);
  const rows = [
    ...cases.map(({ name, file, at, verdict, problem, ...one }) => ({
      name,
      file: `${file}.json`,
      patch: patchOf(genuine.get(file) ?? null, one.document),
      keys_patch: patchOf(packageKeys, one.keys ?? packageKeys),
      at,
      verdict,
      problem,
    })),
    ...broken.map(({ file, name }) => ({
      ...{ name, file, at: cases[0]?.at ?? '', verdict: 'malformed', problem: null },
    })),
    ...(kind === 'meter' ? earlierCases(kind, cases[0]?.at ?? '') : []),
  ];
  return new Map([
    ['keys.json', pretty(packageKeys)],
    ...(isOfAgent ? [['unsigned.json', `${JSON.stringify(UNSIGNED, null, 2)}\n`] as const] : []),
    ...(kind === 'meter' ? EARLIER_METER : []),
    ...broken.map(({ file, text }) => [file, text] as const),
    ['cases.json', `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`],
  ]);
}

/** Returns the genuine files of a directory, by their names without the ending. */
export function genuineIn(kind: string): Map<string, JsonObject> {
  const derived = [
    'keys',
    'cases',
    'unsigned',
    'duplicate',
    'deep',
    'surrogate',
    'inexact',
    'order-mark',
    'cut',
    'earlier',
  ];
  const names = readdirSync(join(VECTORS, kind)).map((file) => file.replace('.json', ''));
  const own = names.filter((name) => !derived.includes(name)).sort();
  return new Map(
    own.map((name) => [name, JSON.parse(readFileSync(join(VECTORS, kind, `${name}.json`), 'utf8'))]),
  );
}

/** Gives a document of the running service the signature and the issuer of the test key. */
function adopted(document: JsonObject): JsonObject {
  const own = didKey(hexToBytes(testKey(3).public_key));
  return signedStatement(document.type === 'passport' ? { ...document, issuer: own } : document);
}

/** Returns the content of each file of a directory, by its name. All follow from its genuine documents. */
export function statementVectors(kind: string): ReadonlyMap<string, string> {
  const genuine = genuineIn(kind);
  return new Map([
    ...[...genuine].map(([name, document]) => [`${name}.json`, pretty(document)] as const),
    ...derivedVectors(kind, genuine),
  ]);
}

/** Returns new genuine documents of all directories, as a running service gives them, by their paths. */
export async function sampledStatements(): Promise<ReadonlyMap<string, string>> {
  const agentKey = {
    publicKey: AGENT.public_key,
    privateKey: AGENT.privateKey,
    signText: (text: string) => bytesToHex(signEd25519(AGENT.privateKey, Buffer.from(text))),
    signBytes: (bytes: Uint8Array) => bytesToHex(signEd25519(AGENT.privateKey, bytes)),
    sign: (object: JsonObject) =>
      bytesToHex(signEd25519(AGENT.privateKey, Buffer.from(digest(nativePrimitives, object)))),
  };
  const { documents } = await statementSamples(agentKey);
  return new Map(
    [...documents].flatMap(([kind, files]) =>
      [...files].map(([name, document]): [string, string] => [
        `${kind}/${name}.json`,
        pretty(document.type === undefined ? document : adopted(document)),
      ]),
    ),
  );
}
