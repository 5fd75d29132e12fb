import { genuineIn, STATEMENT_VECTORS } from '../../scripts/vectors/statements.ts';
import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { canonicalJson } from '../../src/proof/encoding/canonical-json.ts';
import { textDigest } from '../../src/proof/encoding/digest.ts';
import { isJsonObject, type JsonObject } from '../../src/proof/encoding/json.ts';

/** Returns the canonical JSON that a document of test/vectors signs. */
function signedText({ signature: _signature, kid: _kid, ...said }: JsonObject): string {
  if (isJsonObject(said.payload)) return canonicalJson(said.payload);
  return canonicalJson(said);
}

const genuineOf = (kind: string): JsonObject => genuineIn(kind).get('genuine') ?? {};
const hexOf = (text: string): string =>
  Buffer.from(text)
    .toString('hex')
    .replace(/.{1,64}/g, '$&\n');

/** The kinds whose bytes docs/verification/signed-responses.md shows. */
const SHOWN = ['gate-decision', 'passport', 'agent-auth'] as const;

/** Returns the blocks of docs/verification/signed-responses.md by their names. */
export function statementBlocks(): [name: string, text: string][] {
  const bytes = SHOWN.flatMap((kind): [string, string][] => {
    const document = genuineOf(kind);
    const text = signedText(document);
    const digest = textDigest(nativePrimitives, text);
    return [
      [`${kind}-canonical`, `${text}\n`],
      [`${kind}-bytes`, hexOf(text)],
      [`${kind}-digest`, `${digest}\n`],
      [`${kind}-message`, hexOf(digest)],
      [`${kind}-signature`, `${String(document.signature).replace(/.{1,64}/g, '$&\n')}`],
    ];
  });
  const digests = STATEMENT_VECTORS.map((kind) => {
    const document = genuineOf(kind);
    const digest = textDigest(nativePrimitives, signedText(document));
    return `${kind}\n  ${digest}\n  ${document.signature}\n`;
  });
  return [...bytes, ['signed-digests', digests.join('')]];
}
