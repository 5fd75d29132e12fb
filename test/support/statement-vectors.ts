import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives, signEd25519 } from '../../src/platform/crypto/crypto.ts';
import { digest } from '../../src/proof/encoding/digest.ts';
import { bytesToHex, hexToBytes } from '../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { didKey } from '../../src/proof/keys/did-key.ts';
import { agentCases } from './agent-object-cases.ts';
import { brokenTexts } from './broken-texts.ts';
import { packageKeys } from './compliance-package.ts';
import { patchOf } from './json-patch.ts';
import { signedStatement } from './signed-statement.ts';
import { testKey } from './small-log.ts';
import { type StatementCase, statementCases } from './statement-cases.ts';
import { statementSamples } from './statement-samples.ts';

export const ROOT = join(import.meta.dir, '../vectors');
/** The directories that this file writes. */
export const STATEMENT_VECTORS = [
  'receipt-status',
  'receipt-manifest',
  'gate-decision',
  'agent-profile',
  'leaderboard',
  'agent-attestation',
  'artifact-attestation',
  'passport',
  'meter',
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

/** Returns the text of each file besides the genuine ones, which follow from them, by its name. */
export function derivedVectors(kind: string, genuine: ReadonlyMap<string, JsonObject>): Map<string, string> {
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
  ];
  return new Map([
    ['keys.json', pretty(packageKeys)],
    ...(isOfAgent ? [['unsigned.json', `${JSON.stringify(UNSIGNED, null, 2)}\n`] as const] : []),
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
  ];
  const names = readdirSync(join(ROOT, kind)).map((file) => file.replace('.json', ''));
  const own = names.filter((name) => !derived.includes(name)).sort();
  return new Map(
    own.map((name) => [name, JSON.parse(readFileSync(join(ROOT, kind, `${name}.json`), 'utf8'))]),
  );
}

/** Gives a document of the running service the signature and the issuer of the test key. */
function adopted(document: JsonObject): JsonObject {
  const own = didKey(hexToBytes(testKey(3).public_key));
  return signedStatement(document.type === 'passport' ? { ...document, issuer: own } : document);
}

// Run this file to write the vectors anew after a format changed; with "derived", to keep the genuine
// documents.
if (import.meta.main) {
  const agentKey = {
    publicKey: AGENT.public_key,
    privateKey: AGENT.privateKey,
    signText: (text: string) => bytesToHex(signEd25519(AGENT.privateKey, Buffer.from(text))),
    signBytes: (bytes: Uint8Array) => bytesToHex(signEd25519(AGENT.privateKey, bytes)),
    sign: (object: JsonObject) =>
      bytesToHex(signEd25519(AGENT.privateKey, Buffer.from(digest(nativePrimitives, object)))),
  };
  if (!process.argv.includes('derived')) {
    const { documents } = await statementSamples(agentKey);
    for (const [kind, files] of documents) {
      mkdirSync(join(ROOT, kind), { recursive: true });
      for (const [name, document] of files)
        writeFileSync(
          join(ROOT, kind, `${name}.json`),
          pretty(document.type === undefined ? document : adopted(document)),
        );
    }
  }
  for (const kind of STATEMENT_VECTORS)
    for (const [file, text] of derivedVectors(kind, genuineIn(kind)))
      writeFileSync(join(ROOT, kind, file), text);
}
