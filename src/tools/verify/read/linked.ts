import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { Failure } from '../../../platform/failure.ts';
import { bytesOf, gathered } from '../../../platform/files/read.ts';
import { JsonError, parseJsonBytes } from '../../../proof/encoding/json.ts';
import { LogProofError } from '../../../proof/log/log-proof.ts';
import type { Receipt } from '../../../proof/receipt/receipt.ts';
import { receiptShape } from '../../../proof/receipt/receipt-shape.ts';
import { linkedJudge, linkedProofsIn } from '../../../proof/verifier/judge/linked.ts';
import type { LinkedProofs } from '../../../proof/verifier/values/context.ts';
import type { TrustSources } from '../options/combinations.ts';
import type { DocumentInputs } from '../values/inputs.ts';
import { bytesAt } from './source.ts';
import { readTrust } from './trust.ts';

const RECEIPT_BYTES_MAX = 2 ** 20;

/**
 * Reads a receipt of a linked account, and the proofs in its public manifest.
 * @throws Failure for inputs that cannot be read
 */
export async function readLinked(
  file: string,
  { trust: sources, proof: source }: { trust: TrustSources; proof: string },
  now: number,
): Promise<DocumentInputs> {
  const document = await gathered(file, bytesOf(file), RECEIPT_BYTES_MAX);
  const { keys, issuer, keyLog, logKeys, policy } = await readTrust(sources);
  const receipt = receiptIn(document, file);
  const manifest = await bytesAt(source, `/api/v1/receipts/${receipt.receipt_id}/public-manifest`);
  const judge = linkedJudge(proofsIn(manifest, source, receipt));
  return {
    subject: 'document',
    name: 'receipt',
    document,
    context: { keys, issuer, keyLog, logKeys, policy, at: now, now },
    judge,
  };
}

function receiptIn(document: Uint8Array, file: string): Receipt {
  const problems: string[] = [];
  try {
    const shape = receiptShape(parseJsonBytes(document));
    if ('receipt' in shape) return shape.receipt;
    problems.push(...shape.problems);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    problems.push(error.message);
  }
  throw new Failure(`${file} is not a receipt: ${problems.join('; ')}`, '--linked is of one receipt');
}

/** Reads the proofs of a manifest. @throws Failure */
function proofsIn(manifest: Uint8Array, source: string, receipt: Receipt): LinkedProofs {
  try {
    return linkedProofsIn(nativePrimitives, manifest, receipt);
  } catch (error) {
    if (!(error instanceof LogProofError)) throw error;
    throw new Failure(
      `${source} does not prove it: ${error.message}`,
      'save the response of GET /api/v1/receipts/<id>/public-manifest and specify the file',
    );
  }
}
