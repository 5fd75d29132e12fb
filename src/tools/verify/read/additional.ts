import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { bytesOf, gathered } from '../../../platform/files/read.ts';
import { credentialShape } from '../../../proof/credential/credential-shape.ts';
import { judgeCredential } from '../../../proof/credential/verdict.ts';
import type { JsonValue } from '../../../proof/encoding/json.ts';
import { readEvidenceItem } from '../../../proof/log-documents/evidence-item.ts';
import type { AdditionalInputs, VerifierContext } from '../../../proof/verifier/values/context.ts';
import { type CommandOptions, requireOptions } from '../options/by-document.ts';
import { readClosedKeyLogs, readKeyLog } from './key-log.ts';
import { bytesAt, fileBytes, jsonFrom } from './source.ts';

/** About 400,000 entries. */
const JOURNAL_BYTES_MAX = 2 ** 28;

const LIST = { name: 'status list', operation: 'GET /api/v1/credentials/status/<n>' };

/**
 * Reads the additional inputs of a document that is not a receipt. The options were checked for its kind, so
 * each says what to read.
 * @throws Failure
 */
export async function readAdditional(
  document: Uint8Array,
  commandOptions: CommandOptions,
  context: Pick<VerifierContext, 'keys' | 'at' | 'issuer'>,
): Promise<AdditionalInputs> {
  const { log, entry, journal, proof, status, predecessor = [] } = commandOptions;
  const keyLog = log === undefined ? null : await readKeyLog(log, commandOptions.policy !== undefined);
  const statusList =
    status === undefined ? null : await readStatusList(document, status, commandOptions, context);
  return {
    ...(keyLog !== null && { keyLog, closedKeyLogs: await readClosedKeyLogs(predecessor, keyLog) }),
    ...(entry !== undefined && { entry: await fileBytes(entry) }),
    ...(journal !== undefined && { journal: await gathered(journal, bytesOf(journal), JOURNAL_BYTES_MAX) }),
    ...(proof !== undefined && { proof: await bytesAt(proof, evidenceProofPath(document)) }),
    ...(statusList !== null && { statusList: statusList.value }),
  };
}

/** Returns the path of the proof of an item of evidence; for a malformed item, a path that no service has. */
function evidenceProofPath(document: Uint8Array): string {
  const read = readEvidenceItem(nativePrimitives, document);
  const { subject_commitment, event_commitment_hash } =
    'item' in read ? read.item : { subject_commitment: '-', event_commitment_hash: '-' };
  return `/api/v1/passport/agents/${subject_commitment}/evidence/${event_commitment_hash}/proof`;
}

/**
 * Reads the status list of a credential; null unless the credential is authentic and has one.
 * @throws Failure
 */
async function readStatusList(
  document: Uint8Array,
  source: string,
  commandOptions: CommandOptions,
  context: Pick<VerifierContext, 'keys' | 'at' | 'issuer'>,
): Promise<{ value: JsonValue } | null> {
  const { credentialIn, credentialOptions } = await import('../../../proof/verifier/judge/credential.ts');
  const read = credentialIn(document);
  if ('problem' in read) return null;
  const shape = credentialShape(read.credential, null);
  // A status list has no status list, so the command line probably means another file.
  if ('credential' in shape && shape.credential.status === null)
    requireOptions('status list', commandOptions);
  // Only an authentic credential says where its list is.
  const options = credentialOptions(context);
  const { credential } = judgeCredential(nativePrimitives, read.credential, options);
  if (credential === null || credential.status === null) return null;
  return { value: await jsonFrom(source, URL.parse(credential.status.list)?.pathname ?? '', LIST) };
}
