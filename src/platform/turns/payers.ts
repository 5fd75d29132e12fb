/** Who pays for a request: whose requests wait when others have their turn. */
export interface Payer {
  /** The operator of a key, or a client address. */
  id: string;
  /**
   * The key, which takes turns with the other keys of its operator. For an address, the credential as it was
   * sent, if it is not known.
   */
  key: string;
  /** Free operators take turns among themselves, and all of them together are one payer among the others. */
  isFree: boolean;
  /** Whether the request asks for the health of the service: one at a time of each payer never waits. */
  asksHealth?: boolean;
}

/** The limit of known credentials. One that was forgotten waits in the turn of its address once. */
const MAX_KNOWN = 10_000;
/** The characters of the longest credential that is remembered: a valid one may have any others beside it. */
const MAX_LENGTH = 512;

/**
 * The payers of the credentials that were accepted before. A request is sorted by them before anything is
 * verified: a credential that is not known, or no longer valid, only counts as its address. They are compared
 * as they were sent, because a hash costs more than the sorting, and a match permits nothing.
 */
export class KnownPayers {
  private readonly payers = new Map<string, Payer>();

  /** Returns the payer of a request's credential; null if it has none that is known. */
  of(request: Request): Payer | null {
    const credential = credentialOf(request);
    return credential === null ? null : (this.payers.get(credential) ?? null);
  }

  /** Remembers whose credential a request has, after it was verified. */
  accepted(request: Request, payer: Payer): void {
    const credential = credentialOf(request);
    if (credential === null) return;
    const known = this.payers.get(credential);
    if (known?.id === payer.id && known.isFree === payer.isFree) return;
    if (this.payers.size >= MAX_KNOWN) this.payers.clear();
    this.payers.set(credential, payer);
  }

  /** Forgets a request's credential, which is not valid. */
  refused(request: Request): void {
    const credential = credentialOf(request);
    if (credential !== null) this.payers.delete(credential);
  }
}

/** Returns the header with the credential, unread; null if there is none, or a long one. */
export function credentialOf({ headers }: Request): string | null {
  const credential = headers.get('authorization') ?? headers.get('cookie');
  return credential === null || credential.length > MAX_LENGTH ? null : credential;
}
