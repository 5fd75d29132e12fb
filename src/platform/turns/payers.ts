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
  /** Whether it is a client address: nobody vouches for it. */
  isStranger?: boolean;
  /** The /48 of an IPv6 address, whose addresses take turns inside one turn; absent for all others. */
  network?: string;
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

  /** @param cookie the name of the cookie with a session; null if there are none */
  constructor(private readonly cookie: string | null = null) {}

  /** Returns the payer of a request's credential; null if it has none that is known. */
  of(request: Request): Payer | null {
    const credential = this.credentialOf(request);
    return credential === null ? null : (this.payers.get(credential) ?? null);
  }

  /** Returns a request's credential, unread: its key, else its session; null for none, or a long one. */
  credentialOf({ headers }: Request): string | null {
    const credential = headers.get('authorization') ?? this.sessionOf(headers);
    return credential === null || credential.length > MAX_LENGTH ? null : credential;
  }

  /** Remembers whose a credential is, after it was verified. */
  accepted(credential: string | null, payer: Payer): void {
    if (credential === null) return;
    const known = this.payers.get(credential);
    if (known?.id === payer.id && known.isFree === payer.isFree) return;
    const [oldest] = this.payers.size >= MAX_KNOWN ? this.payers.keys() : [];
    if (oldest !== undefined) this.payers.delete(oldest);
    this.payers.set(credential, payer);
  }

  /** Forgets a credential that is not valid. */
  refused(credential: string | null): void {
    if (credential !== null) this.payers.delete(credential);
  }

  /** Returns the session in the cookies of a request, unread; null for none. */
  sessionOf(headers: Headers): string | null {
    const cookies = this.cookie === null ? null : headers.get('cookie');
    return cookies === null ? null : new Bun.CookieMap(cookies).get(this.cookie ?? '');
  }
}
