import { expect, test } from 'bun:test';
import { openWithReceiver } from '../../../../src/platform/demo/receiver.ts';

test('the receiver of a demonstration ends when the demonstration cannot be opened', async () => {
  let receiver = '';
  const opening = openWithReceiver(new Map([['port', '0']]), async (url, config) => {
    receiver = url;
    expect(Object.fromEntries(config)).toEqual({ port: '0', 'webhooks.allow_private': 'on' });
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(204);
    throw new Error('the story was refused');
  });
  await expect(opening).rejects.toThrow('the story was refused');
  await expect(fetch(receiver, { method: 'POST', body: '{}' })).rejects.toThrow();
});
