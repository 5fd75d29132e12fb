import { Failure } from '../../platform/failure.ts';

/** Sends mails; rejects when one was not taken. */
export interface Mailer {
  send(to: string, subject: string, text: string): Promise<void>;
}

/** How long a mail server may take. */
const LIMIT_MS = 8000;

/**
 * A mailer by SMTP (RFC 5321), loaded only where one is configured; null without a URL.
 * @throws Failure when the settings do not belong together
 */
export async function openMailer(url: string | null, from: string | null): Promise<Mailer | null> {
  if (url === null && from !== null) throw new Failure('smtp.url is not set', 'smtp.from needs it', 2);
  if (url === null) return null;
  if (from === null) throw new Failure('smtp.from is not set', 'mails need a sender beside smtp.url', 2);
  if (!/^smtps?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new Failure('smtp.url is no smtp:// or smtps:// URL', null, 2);
  }
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(url, {
    from,
    // What is configured decides, no header that came with a request.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(to, subject, text) {
      const timer = AbortSignal.timeout(LIMIT_MS);
      const late = new Promise<never>((_resolve, reject) => {
        timer.addEventListener('abort', () => reject(new Error('the mail server took too long')));
      });
      await Promise.race([transport.sendMail({ to, subject, text }), late]);
    },
  };
}

interface Mail {
  subject: string;
  text: string;
}

const SUBJECT = 'Your sandbox key';
const ASKED = 'Somebody, probably you, asked for a sandbox key for this address.';

/** The mail that brings a key. */
export function keyMail(apiKey: string): Mail {
  const text =
    `${ASKED} Here it is:\n\n${apiKey}\n\n` +
    'Send it as "Authorization: Bearer <key>". It is kept nowhere else. If you did not ask, ignore this mail.\n';
  return { subject: SUBJECT, text };
}

/** The mail that says why there is no key. */
export function refusalMail(isClosed: boolean): Mail {
  const why = isClosed
    ? 'The operator of the service has revoked the keys of your account. Please ask there.\n'
    : 'Two keys of your account are active already, and there can be no third. Revoke one first:\n' +
      'DELETE /api/staffing/partner/v1/keys/{id}. If both are lost, ask the operator of the service.\n';
  return { subject: SUBJECT, text: `${ASKED}\n\n${why}` };
}
