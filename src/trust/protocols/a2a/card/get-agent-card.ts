import { cachedByKeys } from '../../../agents/dids/cached-by-keys.ts';
import type { Signer } from '../../../log/keys/signing/signer.ts';
import type { CardForm } from './card.ts';
import { signedCard } from './sign-card.ts';

/** The parts of the service that the card uses. */
export interface CardContext {
  signer: Signer;
  url: string | null;
  readOnly: boolean;
}

/**
 * Returns the function that returns the agent card of this service, signed, in the form of a version of A2A.
 * @param version of the service
 */
export function agentCards(trust: CardContext, version: string) {
  const card = (form: CardForm) =>
    cachedByKeys(trust, () => signedCard(trust, { url: trust.url ?? '', version }, form));
  const cards = { '0.3': card('0.3'), '1.0': card('1.0') };
  return (form: CardForm) => cards[form]();
}

/** Returns the form of the card for a client, by its header A2A-Version: the current one if it has none. */
export function formFor(request: Request): CardForm {
  return /^0\./.test(request.headers.get('a2a-version')?.trim() ?? '') ? '0.3' : '1.0';
}
