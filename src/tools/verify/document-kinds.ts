import { Failure } from '../../platform/failure.ts';
import { isJsonObject, JsonError, type JsonValue, parseJsonBytes } from '../../proof/encoding/json.ts';
import { PACKAGE_TYPE } from '../../proof/package/format.ts';
import { SCORECARD_TYPE } from '../../proof/package/scorecard.ts';
import type { VerifierContext } from './verifier-context.ts';

/** A kind of document besides receipts. */
export interface DocumentKind {
  /** The kind in messages, such as "compliance package". */
  name: string;
  /** Whether it cites checkpoints of logs, which --log-key and --policy are about. */
  citesLogs: boolean;
  /** Verifies a document and writes the result. @returns whether it is valid */
  verify(document: Uint8Array, context: VerifierContext): Promise<boolean>;
}

/** The kinds of documents that `verify` knows besides receipts, by their `type`; a receipt has none. */
const KINDS: ReadonlyMap<JsonValue | undefined, DocumentKind> = new Map<JsonValue | undefined, DocumentKind>([
  [
    PACKAGE_TYPE,
    {
      name: 'compliance package',
      citesLogs: true,
      verify: async (document, context) => (await import('./package.ts')).verifyPackage(document, context),
    },
  ],
  [
    SCORECARD_TYPE,
    {
      name: 'scorecard',
      citesLogs: false,
      verify: async (document, context) =>
        (await import('./scorecard.ts')).verifyScorecard(document, context),
    },
  ],
]);

/** The options that only receipts have. */
const OF_RECEIPTS = ['proof', 'status', 'revocations', 'domain'] as const;

/** Returns the kind of a document; null for a receipt and for everything unknown, which is then malformed as a receipt. */
export function documentKind(document: Uint8Array): DocumentKind | null {
  let value: JsonValue;
  try {
    value = parseJsonBytes(document);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return null;
  }
  return (isJsonObject(value) && KINDS.get(Object.hasOwn(value, 'type') ? value.type : undefined)) || null;
}

/** Refuses options that a kind of document has no use for. @throws Failure */
export function refuseForKind(
  { name, citesLogs }: DocumentKind,
  options: Partial<Record<(typeof OF_RECEIPTS)[number] | 'policy' | 'logKey', unknown>>,
): void {
  const useless = OF_RECEIPTS.find((option) => options[option] !== undefined);
  if (useless !== undefined)
    throw new Failure(`--${useless} is for receipts, but this is a ${name}`, `omit --${useless}`, 2);
  if (citesLogs) return;
  if (options.policy !== undefined || options.logKey !== undefined)
    throw new Failure(`a ${name} cites no log`, 'omit --policy and --log-key', 2);
}
