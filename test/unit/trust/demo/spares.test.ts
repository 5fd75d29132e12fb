import { expect, test } from 'bun:test';
import { exampleRequests } from '../../../../src/trust/demo/spares.ts';

const SPARES = { pendingReceipt: 'rcpt_1', finalizedReceipt: 'rcpt_2', webhook: 'wh_1', credential: {} };

test('signed examples are made again after two minutes, and at once after a failure', async () => {
  let now = Date.parse('2026-05-01T12:00:00Z');
  let [starts, isFailing] = [0, false];
  const requests = exampleRequests(
    async (line) => {
      if (isFailing) throw new Error('the disk is full');
      if (line.endsWith('/enroll/start')) starts++;
      return line.endsWith('/enroll/start')
        ? { challenge_nonce: `chal_${starts}` }
        : { audience: 'trust.example' };
    },
    { now: () => now },
    SPARES,
  );
  const [first, same] = await Promise.all([requests(), requests()]);
  expect(same).toBe(first);
  now += 119_999;
  expect(await requests()).toBe(first);
  expect(Object(first.createHolderKey?.body).agent_auth).toMatchObject({
    expires_at: '2026-05-01T12:10:00.000Z',
  });
  now += 1;
  isFailing = true;
  expect(requests()).rejects.toThrow('the disk is full');
  await expect(requests()).rejects.toThrow('the disk is full');
  isFailing = false;
  const renewed = await requests();
  expect(renewed.completeEnrollment?.body).toMatchObject({ challenge_nonce: 'chal_2' });
  expect(Object(renewed.negotiate?.body).agent_auth).not.toEqual(Object(first.negotiate?.body).agent_auth);
});
