import { sha256Hex } from '../../../src/platform/crypto/crypto.ts';
import type { Running } from '../process.ts';

/** Reads what a data directory of a witness contains. @param origins of the logs that it has cosigned */
export async function witnessFacts(
  { ready, url }: Pick<Running, 'ready' | 'url'>,
  origins: readonly string[],
) {
  const logs: Record<string, string> = {};
  for (const origin of origins) {
    const response = await fetch(`${url}/${sha256Hex(origin)}/checkpoint`);
    // Origin, size and root.
    logs[origin] = `${response.status} ${(await response.text()).split('\n').slice(0, 3).join(' ')}`;
  }
  return { name: String(ready.name), vkeys: ready.vkeys, logs };
}
