import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { NameError, type Resolve } from '../../../../../src/platform/network/name-resolver.ts';
import { openMailer } from '../../../../../src/staffing/accounts/mail/mail.ts';
import { createPartnerKey } from '../../../../../src/staffing/accounts/partners/create-partner-key.ts';
import { selfSigned } from '../../../../support/certificate.ts';
import { openStaffingApp, refusalOf, type StaffingApp } from '../../../../support/staffing-app.ts';

/** What the mail server took. */
const mails: { to: string[]; text: string }[] = [];
let refuses = false;

const nobody: Resolve = () => Promise.reject(new NameError('unknown', 'the name does not resolve'));
let server: SMTPServer;
let port: number;
let app: StaffingApp;

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, callback) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        if (refuses) return callback(new Error('no room'));
        // Quoted-printable breaks long lines.
        const text = Buffer.concat(parts).toString().replace(/=\r\n/g, '');
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => new Promise<void>((resolve) => server.close(resolve)));
beforeEach(async () => {
  mails.length = 0;
  refuses = false;
  app = await openStaffingApp({
    'smtp.url': `smtp://127.0.0.1:${port}`,
    'smtp.from': 'keys@registry.example',
  });
});
afterEach(() => app.close());

const signUp = (email: string) => app.anyone.post('/sandbox-keys', { email, company: 'Firm' });
const keyIn = (mail: { text: string } | undefined): string =>
  /mpk_test_\w{40}/.exec(mail?.text ?? '')?.[0] ?? '';

test('a sandbox key is sent only by mail; the same address gets a new key and the same response', async () => {
  const first = await signUp('Ada@firm.test');
  const again = await signUp('ada@FIRM.test');
  expect([first.status, first.body]).toEqual([202, { message: 'The key was sent to this address.' }]);
  expect([again.status, again.body]).toEqual([202, first.body]);
  expect(mails.map(({ to }) => to)).toEqual([['ada@firm.test'], ['ada@firm.test']]);
  const keys = mails.map(keyIn);
  expect(new Set(keys).size).toBe(2);
  const accounts = await Promise.all(keys.map(async (key) => (await app.keyed(key).get('/me')).body.account));
  expect(accounts[0]).toEqual(accounts[1]);
  const third = await signUp('ada@firm.test');
  expect([third.status, third.body, keyIn(mails[2])]).toEqual([202, first.body, '']);
  expect(mails[2]?.text).toContain('Your account already has two active keys');
});

test('of ten concurrent requests for a key by mail two get a valid key, and no response reveals which', async () => {
  const responses = await Promise.all(Array.from({ length: 10 }, () => signUp('carol@firm.test')));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([202]));
  const keys = mails.map(keyIn).filter((key) => key !== '');
  expect([mails.length, keys.length]).toEqual([10, 2]);
  for (const key of keys) expect((await app.keyed(key).get('/me')).status).toBe(200);
});

test('an account that the operator closed gets no key by mail, until it is made one', async () => {
  await signUp('dave@firm.test');
  const { account } = Object((await app.keyed(keyIn(mails[0])).get('/me')).body);
  const closed = await app.admin.post(`/admin/partners/${account.partner_id}/revoke`, {});
  expect(closed.body.closed_at).toBeString();
  expect((await signUp('dave@firm.test')).status).toBe(202);
  expect([keyIn(mails[1]), mails[1]?.text]).toEqual(['', expect.stringContaining('has revoked the keys')]);
  await createPartnerKey(app.service.staffing, account.partner_id, 'sandbox');
  await signUp('dave@firm.test');
  expect((await app.keyed(keyIn(mails[2])).get('/me')).status).toBe(200);
});

test('a mail that the mail server refuses creates no account', async () => {
  refuses = true;
  expect(refusalOf(await signUp('ada@firm.test'))).toEqual([503, 'STORAGE_UNAVAILABLE', []]);
  refuses = false;
  expect((await signUp('ada@firm.test')).status).toBe(202);
  expect((await app.keyed(keyIn(mails[0])).get('/me')).status).toBe(200);
});

test('settings of mail that do not belong together are refused', async () => {
  await expect(openMailer('smtp://127.0.0.1', null, nobody)).rejects.toThrow('smtp.from is not set');
  await expect(openMailer('https://127.0.0.1', 'a@b.example', nobody)).rejects.toThrow(
    'not an smtp:// or smtps:// URL',
  );
  await expect(openMailer(null, 'a@b.example', nobody)).rejects.toThrow('smtp.url is not set');
  expect(await openMailer(null, null, nobody)).toBeNull();
});

describe('the mail server', () => {
  test('is found by its name, at the first address that responds', async () => {
    const asked: string[] = [];
    const resolve: Resolve = async (name) => {
      asked.push(name);
      return ['127.0.0.2', '127.0.0.1'];
    };
    const mailer = await openMailer(`smtp://mail.example:${port}`, 'a@b.example', resolve);
    await mailer?.send('ada@firm.test', 'subject', 'text');
    expect([asked, mails.map(({ to }) => to)]).toEqual([['mail.example'], [['ada@firm.test']]]);
  });

  test('whose name does not resolve gets no mail, and the sender gets the reason', async () => {
    const mailer = await openMailer(`smtp://mail.example:${port}`, 'a@b.example', nobody);
    await expect(mailer?.send('ada@firm.test', 'subject', 'text')).rejects.toThrow(
      'the name does not resolve',
    );
    expect(mails).toEqual([]);
  });

  test.skipIf(Bun.which('openssl') === null).each([
    ['smtps', true],
    ['smtp', false],
  ])('shows by %s a certificate of its name, whatever its address', async (scheme, secure) => {
    const directory = mkdtempSync(join(tmpdir(), 'countersign-mail-'));
    const { cert, key } = selfSigned(directory, 'mail', 'mail.example');
    let taken = 0;
    const tls = new SMTPServer({
      secure,
      authOptional: true,
      cert: readFileSync(cert),
      key: readFileSync(key),
      onData(stream, _session, callback) {
        stream
          .on('data', () => undefined)
          .on('end', () => {
            taken += 1;
            callback();
          });
      },
    });
    // It hears of the client that leaves because the name is another.
    tls.on('error', () => undefined);
    await new Promise<void>((done) => tls.listen(0, '127.0.0.1', done));
    try {
      const address = tls.server.address();
      const at = typeof address === 'object' && address !== null ? address.port : 0;
      const ca = encodeURIComponent(readFileSync(cert, 'utf8'));
      const open = (name: string) =>
        openMailer(`${scheme}://${name}:${at}/?requireTLS=true&tls.ca=${ca}`, 'a@b.example', async () => [
          '127.0.0.1',
        ]);
      await (await open('mail.example'))?.send('ada@firm.test', 'subject', 'text');
      expect(taken).toBe(1);
      await expect((await open('other.example'))?.send('ada@firm.test', 'subject', 'text')).rejects.toThrow();
      expect(taken).toBe(1);
    } finally {
      await new Promise<void>((done) => tls.close(done));
      rmSync(directory, { recursive: true });
    }
  });
});
