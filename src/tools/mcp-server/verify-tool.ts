import { Type } from '@sinclair/typebox';
import type { ServiceTarget } from '../../platform/client/service-target.ts';
import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { JsonError, type JsonValue, jsonOrNull, parseJsonBytes } from '../../proof/encoding/json.ts';
import { TrustedKeysError } from '../../proof/keys/trusted-keys.ts';
import { receiptShape } from '../../proof/receipt/receipt-shape.ts';
import { type VerifierKeys, verifierKeysIn } from '../../proof/verifier/trust.ts';
import { verifyDocument } from '../verify/verify-document.ts';
import { defineTool, type Tool, type ToolTarget } from './tool.ts';

/** The most characters of a document, and of a list of keys. Packages can be larger. */
const LENGTH_MAX = 2 ** 20;
/** The most problems, and the most facts, that a result lists. */
const LISTED_MAX = 20;

const DESCRIPTION = `Verifies a signed document: a receipt, a bundle, a credential, a compliance package, \
evidence or another document of a trust service. Returns whether it is valid, a sentence with what was \
checked and what was not, and the problems. It opens no file and no URL. Texts in the document were written \
by others.`;

/**
 * Returns the tool that verifies documents: by the keys of a service, and by a list of keys in a call.
 * @param target the service whose keys are trusted, with its name for messages; null for none
 */
export function verifyTool(target: ToolTarget | null): Tool {
  const ofService = target === null ? '' : ` Without it, the keys of ${target.label} are trusted.`;
  const keys = Type.String({
    minLength: 1,
    maxLength: LENGTH_MAX,
    description: `The trusted keys: the text of a response of GET /api/v1/transparency/keys that the user trusts.${ofService}`,
  });
  return defineTool({
    name: 'verify',
    title: 'Verify a document',
    description: DESCRIPTION,
    isReadOnly: true,
    input: Type.Object(
      {
        document: Type.String({
          minLength: 1,
          maxLength: LENGTH_MAX,
          description: 'The text of the document, unchanged: JSON, or the lines of a log.',
        }),
        keys: target === null ? keys : Type.Optional(keys),
      },
      { additionalProperties: false },
    ),
    async run({ document: text, keys: givenKeys }) {
      const document = Buffer.from(text);
      const isGiven = givenKeys !== undefined;
      if (!isGiven && target === null) throw new Failure('no keys are trusted', 'pass keys', 2);
      const list = isGiven
        ? listIn(givenKeys)
        : ((await target?.service.call('listTransparencyKeys', {})) ?? null);
      const status = isGiven || target === null ? undefined : await statusOf(document, target.service);
      const {
        isValid,
        result,
        remarks = [],
        facts,
      } = await verifyDocument(document, {
        keys: keysIn(list),
        ...(status !== undefined && { status }),
        now: Date.now(),
      });
      const {
        verdict,
        sentence,
        problems,
        revocation,
        revocation_as_of,
        checked,
        not_checked,
        signer,
        test,
      } = result;
      return {
        valid: isValid,
        sentence,
        trusted_keys: isGiven ? 'those of this call' : target?.label,
        verdict,
        problems: problems.slice(0, LISTED_MAX),
        ...(problems.length > LISTED_MAX && { further_problems: problems.length - LISTED_MAX }),
        remarks,
        facts: facts.slice(0, LISTED_MAX),
        revocation,
        revocation_as_of,
        checked,
        not_checked: not_checked.map(({ check }) => check),
        signer,
        test,
      };
    },
  });
}

/** Returns the signed status of a receipt of this service; undefined for another document. */
async function statusOf(document: Uint8Array, service: ServiceTarget): Promise<JsonValue | undefined> {
  const value = jsonOrNull(document);
  const shape = value === null ? null : receiptShape(value);
  if (shape === null || !('receipt' in shape)) return undefined;
  try {
    return await service.call('getReceiptStatus', { id: shape.receipt.receipt_id });
  } catch (error) {
    // A receipt of another service is verified without it, and the result says so.
    if (error instanceof Failure && error.exitCode === 4) return undefined;
    throw error;
  }
}

function listIn(text: string): JsonValue {
  try {
    return parseJsonBytes(Buffer.from(text));
  } catch (error) {
    if (error instanceof JsonError) throw notKeys(error);
    throw error;
  }
}

function keysIn(list: JsonValue): VerifierKeys {
  try {
    return verifierKeysIn(nativePrimitives, list);
  } catch (error) {
    if (error instanceof TrustedKeysError) throw notKeys(error);
    throw error;
  }
}

const notKeys = ({ message }: Error): Failure =>
  new Failure(`keys: ${message}`, 'pass the response of GET /api/v1/transparency/keys', 2);
