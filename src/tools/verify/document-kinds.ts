import { Failure } from '../../platform/failure.ts';
import { isJsonObject, JsonError, type JsonObject, parseJsonBytes } from '../../proof/encoding/json.ts';
import { PACKAGE_TYPE } from '../../proof/package/format.ts';
import { SCORECARD_TYPE } from '../../proof/package/scorecard.ts';
import type { DocumentForm, DocumentKind } from './judgement.ts';

/** Returns whether a document is a JSON object with this `type`. */
const hasType =
  (type: string) =>
  ({ object }: DocumentForm): boolean =>
    object !== null && Object.hasOwn(object, 'type') && object.type === type;

/** The kinds of documents that `verify` knows besides receipts. The first one that recognises a document judges it. */
const KINDS: readonly DocumentKind[] = [
  {
    name: 'compliance package',
    citesLogs: true,
    recognises: hasType(PACKAGE_TYPE),
    load: async () => (await import('./package.ts')).judgePackageDocument,
  },
  {
    name: 'scorecard',
    citesLogs: false,
    recognises: hasType(SCORECARD_TYPE),
    load: async () => (await import('./scorecard.ts')).judgeScorecardDocument,
  },
];

/** The options that only receipts have. */
const OF_RECEIPTS = ['proof', 'status', 'revocations', 'domain'] as const;

/** Returns the kind of a document; null for a receipt and for everything unknown, which is then malformed as a receipt. */
export function documentKind(bytes: Uint8Array): DocumentKind | null {
  const form = { bytes, object: objectIn(bytes) };
  return KINDS.find((kind) => kind.recognises(form)) ?? null;
}

function objectIn(bytes: Uint8Array): JsonObject | null {
  try {
    const value = parseJsonBytes(bytes);
    return isJsonObject(value) ? value : null;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return null;
  }
}

/** Refuses options that a kind of document has no use for. @throws Failure */
export function refuseForKind(
  { name, citesLogs }: Pick<DocumentKind, 'name' | 'citesLogs'>,
  options: Partial<Record<(typeof OF_RECEIPTS)[number] | 'policy' | 'logKey', unknown>>,
): void {
  const article = /^[aeiou]/.test(name) ? 'an' : 'a';
  const useless = OF_RECEIPTS.find((option) => options[option] !== undefined);
  if (useless !== undefined)
    throw new Failure(`--${useless} is for receipts, but this is ${article} ${name}`, `omit --${useless}`, 2);
  if (citesLogs) return;
  if (options.policy !== undefined || options.logKey !== undefined)
    throw new Failure(`${article} ${name} cites no log`, 'omit --policy and --log-key', 2);
}
