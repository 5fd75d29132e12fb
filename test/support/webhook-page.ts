import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = join(import.meta.dir, '../../docs/verification/webhooks.md');

/**
 * Returns the blocks of docs/verification/webhooks.md by their names, computed from the delivery on the page.
 */
export function webhookBlocks(): ReadonlyMap<string, string> {
  const page = readFileSync(PAGE, 'utf8');
  const find = (pattern: RegExp): string => {
    const [, found] = pattern.exec(page) ?? [];
    if (found === undefined) throw new Error(`the page has no ${pattern.source}`);
    return found;
  };
  const key = Buffer.from(find(/whsec_(\S+)/), 'base64');
  const id = find(/^webhook-id: (\S+)$/m);
  const time = find(/^webhook-timestamp: (\d+)$/m);
  const message = Buffer.from(`${id}.${time}.${find(/^(\{"event".*\})$/m)}`);
  const mac = createHmac('sha256', key).update(message).digest();
  if (find(/^webhook-signature: v1,(\S+)$/m) !== mac.toString('base64'))
    throw new Error('the delivery on the page is not signed with its secret');
  const lines = message.toString('hex').match(/.{1,64}/g) ?? [];
  return new Map([
    ['webhook-key', `${key.toString('hex')}\n`],
    ['webhook-message', `${lines.join('\n')}\n`],
    ['webhook-mac', `${mac.toString('hex')}\n`],
  ]);
}
