import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { VECTORS } from '../../test/support/vectors.ts';
import { agoraVectors } from './agora-proposal.ts';
import { consistencyVectors } from './consistency.ts';
import { coseVectors } from './cose-receipt.ts';
import { credentialVectors } from './credential.ts';
import { evidenceVectors } from './evidence.ts';
import { evidenceBundleVectors } from './evidence-bundle.ts';
import { journalVectors } from './journal.ts';
import { journalHeadProofVectors } from './journal-head-proof.ts';
import { keyLogVectors } from './keys.ts';
import { linkedAccountVectors } from './linked-account.ts';
import { linkedReceiptVectors } from './linked-receipt.ts';
import { logProofVectors } from './log-proof.ts';
import { packageVectors } from './package.ts';
import { receiptVectors } from './receipt.ts';
import { receiptBundleVectors } from './receipt-bundle.ts';
import { receiptProofVectors } from './receipt-proof.ts';
import { sampledScorecard, scorecardVectors } from './scorecard.ts';
import { STATEMENT_VECTORS, sampledStatements, statementVectors } from './statements.ts';
import { trustedKeyVectors } from './trusted-keys.ts';
import { webhookVectors } from './webhook.ts';
import { witnessVectors } from './witness.ts';

/** Contents by the paths of their files. */
type Files = ReadonlyMap<string, string | Uint8Array>;

/** Our own directories of test/vectors, and what returns the files of each. */
const DIRECTORIES: ReadonlyMap<string, () => Files | Promise<Files>> = new Map<
  string,
  () => Files | Promise<Files>
>([
  ['agora-proposal', agoraVectors],
  ['consistency', consistencyVectors],
  ['cose-receipt', coseVectors],
  ['credential', credentialVectors],
  ['evidence', evidenceVectors],
  ['evidence-bundle', evidenceBundleVectors],
  ['journal', journalVectors],
  ['journal-head-proof', journalHeadProofVectors],
  ['keys', keyLogVectors],
  ['linked-account', linkedAccountVectors],
  ['linked-receipt', linkedReceiptVectors],
  ['log-proof', logProofVectors],
  ['package', packageVectors],
  ['receipt', receiptVectors],
  ['receipt-bundle', receiptBundleVectors],
  ['receipt-proof', receiptProofVectors],
  ['scorecard', scorecardVectors],
  ['trusted-keys', trustedKeyVectors],
  ['webhook', webhookVectors],
  ['witness', witnessVectors],
  ...STATEMENT_VECTORS.map((kind) => [kind, () => statementVectors(kind)] as const),
]);

/** The names of our own directories of test/vectors. */
export const OWN_DIRECTORIES: readonly string[] = [...DIRECTORIES.keys()].sort();

/** Returns the files of a directory as the scripts make them. */
async function filesOf(directory: string): Promise<Files> {
  const files = await DIRECTORIES.get(directory)?.();
  if (files === undefined) throw new Error(`test/vectors/${directory} is not a directory of our own`);
  return files;
}

function storedIn(directory: string): string[] {
  const folder = join(VECTORS, directory);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** Returns the paths in a directory that are missing, that no script makes, or that have another content. */
export async function differencesIn(directory: string): Promise<string[]> {
  const files = await filesOf(directory);
  const stored = storedIn(directory);
  const isStored = (name: string, content: string | Uint8Array): boolean =>
    stored.includes(name) && readFileSync(join(VECTORS, directory, name)).equals(Buffer.from(content));
  return [
    ...stored.filter((name) => !files.has(name)),
    ...[...files].filter(([name, content]) => !isStored(name, content)).map(([name]) => name),
  ].sort();
}

/** Writes the files of a directory. */
export async function writeDirectory(directory: string): Promise<void> {
  writeFiles(directory, await filesOf(directory));
}

/** Writes new genuine documents of a running service, from which vectors follow. Their ids differ every time. */
export async function writeSamples(): Promise<void> {
  writeFiles('', await sampledStatements());
  writeFiles('', await sampledScorecard());
}

function writeFiles(directory: string, files: Files): void {
  for (const [name, content] of files) {
    const path = join(VECTORS, directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}
