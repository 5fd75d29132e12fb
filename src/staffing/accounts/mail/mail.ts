import { isIP, isIPv6 } from 'node:net';
import { hostOf, resolveHost } from '../../../platform/delivery/target.ts';
import { Failure } from '../../../platform/failure.ts';
import type { Resolve } from '../../../platform/network/name-resolver.ts';
import { withTimeout } from '../../../platform/time/timeout.ts';

/** Sends mails; rejects when the server did not accept a mail. */
export interface Mailer {
  send(to: string, subject: string, text: string): Promise<void>;
}

/** The timeout for sending a mail. */
const LIMIT_MS = 8000;

/**
 * Returns a mailer by SMTP (RFC 5321); null without a URL. The SMTP library is loaded only when it is
 * configured. The mailer tries the addresses from `resolve` in turn; TLS verifies the host name of the URL.
 * @throws Failure when only one of the settings is given, or the URL is invalid
 */
export async function openMailer(
  url: string | null,
  from: string | null,
  resolve: Resolve,
): Promise<Mailer | null> {
  if (url === null && from !== null)
    throw new Failure('smtp.url is not set', 'set smtp.url, or remove smtp.from', 2);
  if (url === null) return null;
  if (from === null) throw new Failure('smtp.from is not set', 'set it to the sender of the mails', 2);
  const server = URL.parse(url);
  if (server === null || !/^smtps?:$/.test(server.protocol)) {
    throw new Failure(
      'smtp.url is not an smtp:// or smtps:// URL',
      'set it to smtps://user:password@host:port',
      2,
    );
  }
  const { createTransport } = await import('nodemailer');
  const transportTo = (address: string) =>
    createTransport(pinned(server, address), {
      from,
      // The content of a mail must not make the library read files or URLs.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  const sendMail = async (mail: { to: string; subject: string; text: string }): Promise<void> => {
    const addresses = await resolveHost(server, resolve, 'smtp.url');
    for (const [index, address] of addresses.entries()) {
      const transport = transportTo(address);
      try {
        await transport.sendMail(mail);
        return;
      } catch (error) {
        if (index === addresses.length - 1 || !isUnreachable(error)) throw error;
      } finally {
        transport.close();
      }
    }
  };
  return {
    async send(to, subject, text) {
      await withTimeout(sendMail({ to, subject, text }), LIMIT_MS, () => {
        throw new Error('the mail server took too long');
      });
    },
  };
}

/** Replaces the URL's host name by an address; the name is still used for verifying the certificate. */
function pinned(server: URL, address: string): string {
  const url = new URL(server.href);
  url.hostname = isIPv6(address) ? `[${address}]` : address;
  const name = hostOf(server);
  if (isIP(name) === 0 && !url.searchParams.has('tls.servername')) url.searchParams.set('servername', name);
  return url.href;
}

/**
 * Returns whether the connection failed: no server has accepted the mail, so the next address can be tried.
 */
function isUnreachable(error: unknown): boolean {
  return error instanceof Error && 'command' in error && error.command === 'CONN';
}

interface Mail {
  subject: string;
  text: string;
}

const SUBJECT = 'Your sandbox key';
const ASKED = 'Someone, probably you, requested a sandbox key for this address.';

/** Returns the mail with a new key. */
export function keyMail(apiKey: string): Mail {
  const text =
    `${ASKED} Here it is:\n\n${apiKey}\n\n` +
    'Send it as "Authorization: Bearer <key>". The service stores no copy. If you did not request it, ignore this mail.\n';
  return { subject: SUBJECT, text };
}

/** Returns the mail that explains why no key was created. */
export function refusalMail(isClosed: boolean): Mail {
  const why = isClosed
    ? 'The administrator of the service has revoked the keys of your account. Contact the administrator.\n'
    : 'Your account already has two active keys, which is its limit. Revoke one first:\n' +
      'DELETE /api/staffing/partner/v1/keys/{id}. If both are lost, ask the administrator of the service.\n';
  return { subject: SUBJECT, text: `${ASKED}\n\n${why}` };
}
