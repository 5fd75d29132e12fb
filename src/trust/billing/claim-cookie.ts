/**
 * The cookie with the claim tokens of the newest checkouts of a browser, so that each of them can be paid.
 */
export const CLAIM_COOKIE = 'billing_claim';

/** A claim token that a browser keeps. */
export interface NewClaim {
  claimToken: string;
  /** The end of the session at the processor, in milliseconds since 1970. */
  expiresAt: number;
}

/**
 * How long after the end of a session its claim token stays in the browser. Some banks take days to pay, and
 * the key can be claimed after that.
 */
const COOKIE_AFTER_MS = 14 * 24 * 60 * 60 * 1000;

/** The most checkouts whose tokens a browser keeps. */
const MAX_KEPT = 5;

/**
 * Returns the cookie with a new claim token before those that the browser has.
 * @param secure whether clients use https
 */
export function claimCookie(request: Request, { claimToken, expiresAt }: NewClaim, secure: boolean) {
  return {
    value: [claimToken, ...claimTokensOf(request)].slice(0, MAX_KEPT).join('.'),
    httpOnly: true,
    sameSite: 'lax',
    secure,
    path: '/',
    expires: new Date(expiresAt + COOKIE_AFTER_MS),
  } as const;
}

/** Returns the claim tokens in the cookie of a request, newest first. */
export function claimTokensOf(request: Request): string[] {
  const [, tokens = ''] =
    /(?:^|;\s*)billing_claim=([\w.]{1,512})(?:;|$)/.exec(request.headers.get('cookie') ?? '') ?? [];
  return tokens
    .split('.')
    .filter((token) => /^claim_[0-9a-f]{64}$/.test(token))
    .slice(0, MAX_KEPT);
}
