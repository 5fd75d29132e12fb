import { canonicalJson } from '../../../../proof/encoding/canonical-json.ts';
import { hexToBytes } from '../../../../proof/encoding/hex.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../proof/encoding/json.ts';
import type { Signer } from '../../../log/keys/signing/signer.ts';
import { type CardFacts, type CardForm, cardOfV1, wholeCard } from './card.ts';

const utf8 = new TextEncoder();

/**
 * Returns a card with its signatures (A2A 1.0 section 8.4, RFC 7515). They are EdDSA by the key of purpose
 * `credentials`, over the canonical JSON (RFC 8785) without `signatures`. In the form of 1.0, the first
 * signature covers the members of 1.0 without empty values, as the SDKs canonicalize a card. The second one
 * covers everything that is served. The form of 0.3 has only the second one. A read-only service signs
 * nothing, so its card has no signatures.
 */
export function signedCard(
  { signer, readOnly }: { signer: Signer; readOnly: boolean },
  facts: CardFacts,
  form: CardForm,
): JsonObject {
  const card = wholeCard(facts, form);
  if (readOnly) return card;
  const { kid } = signer.activeKey('credentials');
  const header = { alg: 'EdDSA', typ: 'JOSE', kid, jku: `${facts.url}/.well-known/jwks.json` };
  const encoded = utf8.encode(JSON.stringify(header)).toBase64({ alphabet: 'base64url', omitPadding: true });
  const sign = (payload: JsonValue): JsonObject => {
    const text = utf8.encode(canonicalJson(payload)).toBase64({ alphabet: 'base64url', omitPadding: true });
    const { signature } = signer.sign('credentials', utf8.encode(`${encoded}.${text}`));
    return {
      protected: encoded,
      signature: hexToBytes(signature).toBase64({ alphabet: 'base64url', omitPadding: true }),
    };
  };
  const payloads = form === '1.0' ? [withoutEmpty(cardOfV1(facts)), card] : [card];
  return { ...card, signatures: payloads.map(sign) };
}

/** Returns a value without empty strings, arrays and objects, and without null; null if nothing is left. */
function withoutEmpty(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    const left = value.map(withoutEmpty).filter((one) => one !== null);
    return left.length === 0 ? null : left;
  }
  if (isJsonObject(value)) {
    const left = Object.entries(value).flatMap(([name, one]) => {
      const content = withoutEmpty(one);
      return content === null ? [] : [[name, content] as const];
    });
    return left.length === 0 ? null : Object.fromEntries(left);
  }
  return value === '' ? null : value;
}
