import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { Failure } from '../../../platform/failure.ts';
import { isUrl } from '../../../platform/network/fetch.ts';
import { Progress } from '../../../platform/terminal/progress.ts';
import { type LogSource, logSource } from '../../../platform/tlog/source.ts';
import { type JsonValue, jsonOrNull } from '../../../proof/encoding/json.ts';
import type { LogProof } from '../../../proof/log/log-proof.ts';
import { isCoseReceipt } from '../../../proof/log/read-cose-receipt.ts';
import type { CoseLogProof, UnreadableProof } from '../../../proof/receipt/inclusion.ts';
import { receiptShape } from '../../../proof/receipt/receipt-shape.ts';
import type { Revocations } from '../../../proof/receipt/revocations.ts';
import { receiptProofIn } from '../../../proof/verifier/judge/receipt.ts';
import type { VerifierTrust } from '../../../proof/verifier/trust.ts';
import type { AdditionalInputs } from '../../../proof/verifier/values/context.ts';
import { type CommandOptions, requireOptions } from '../options/by-document.ts';
import { revocationsFrom } from './revocations.ts';
import { bytesAt, fileBytes } from './source.ts';

/**
 * Reads the additional inputs of one receipt: proof, status and revocations. Reads none for another document.
 */
export async function readReceiptInputs(
  document: Uint8Array,
  commandOptions: CommandOptions,
  trust: VerifierTrust,
): Promise<AdditionalInputs> {
  const { domain, revocations } = commandOptions;
  const receiptId = receiptIdIn(document);
  return {
    ...(domain !== undefined && { domain }),
    ...(receiptId !== null && (await readProofAndStatus(receiptId, commandOptions))),
    ...(receiptId !== null &&
      revocations !== undefined && {
        revocations: await readRevocations(revocations, commandOptions, trust),
      }),
  };
}

/**
 * Reads the additional inputs of a bundle, which has the proof and the status in it.
 * @throws Failure, also if nothing names the keys
 */
export async function readBundleInputs(
  { keys, domain, fresh, revocations, ...others }: CommandOptions,
  trust: VerifierTrust,
): Promise<AdditionalInputs> {
  if (keys === undefined && (trust.policy?.policy.logs ?? []).length === 0)
    throw new Failure(
      'nothing names the trusted keys: there are no --keys, and the policy has no log line',
      'specify --keys, or add a log line for each log of the installation to the policy',
      2,
    );
  return {
    trustsKeyLog: keys === undefined,
    ...(domain !== undefined && { domain }),
    ...(fresh !== undefined && { isFresh: fresh }),
    ...(revocations !== undefined && { revocations: await readRevocations(revocations, others, trust) }),
  };
}

/** Reads the proof and the signed status of a receipt. @throws Failure */
export async function readProofAndStatus(
  receiptId: string,
  commandOptions: CommandOptions,
): Promise<Pick<AdditionalInputs, 'logProof' | 'status'>> {
  const { proof, status } = commandOptions;
  return {
    ...(proof !== undefined && { logProof: await readProof(proof, receiptId, commandOptions) }),
    ...(status !== undefined && { status: await readStatus(status, receiptId) }),
  };
}

/** Reads the log of revocations of a directory or a service, and shows the progress. @throws Failure */
export async function readRevocations(
  location: string,
  { policy, predecessor = [] }: Pick<CommandOptions, 'policy' | 'predecessor'>,
  trust: VerifierTrust,
): Promise<Revocations> {
  const progress = new Progress(process.stderr, 'revocations');
  try {
    const source = policy === undefined ? logSource(location) : cosignedSource(location);
    const copies = predecessor.map(logSource);
    const report = (count: number, share: number): void => progress.at(count, share);
    return await revocationsFrom(source, trust.logKeys, report, trust, copies);
  } finally {
    progress.clear();
  }
}

/** Returns the logs of a URL or a directory. A service is asked for its newest cosigned checkpoints. */
function cosignedSource(location: string): LogSource {
  const source = logSource(location);
  if (!isUrl(location)) return source;
  return {
    ...source,
    read: (path) => source.read(path.endsWith('/checkpoint') ? `${path}?cosigned=yes` : path),
  };
}

function receiptIdIn(document: Uint8Array): string | null {
  const value = jsonOrNull(document);
  const shape = value === null ? null : receiptShape(value);
  return shape !== null && 'receipt' in shape ? shape.receipt.receipt_id : null;
}

/**
 * Reads the proof that a log contains a receipt. The source is a file with C2SP tlog-proof text, a public
 * manifest or a COSE receipt, its URL, or the URL of the service. A COSE receipt also needs a file with the
 * entry, and has no cosignatures for a policy.
 */
async function readProof(
  source: string,
  receiptId: string,
  commandOptions: CommandOptions,
): Promise<LogProof | CoseLogProof | UnreadableProof> {
  const bytes = await bytesAt(source, `/api/v1/receipts/${receiptId}/proof`);
  const isCose = isCoseReceipt(bytes);
  requireOptions(isCose ? 'receipt with a COSE receipt' : 'receipt with a proof', commandOptions);
  const { entry } = commandOptions;
  return receiptProofIn(
    nativePrimitives,
    bytes,
    isCose && entry !== undefined ? await fileBytes(entry) : undefined,
  );
}

/** Reads a signed receipt status from a file, its URL, or the service at a URL; null if it is not JSON. */
async function readStatus(source: string, receiptId: string): Promise<JsonValue> {
  return jsonOrNull(await bytesAt(source, `/api/v1/receipts/${receiptId}/status`));
}
