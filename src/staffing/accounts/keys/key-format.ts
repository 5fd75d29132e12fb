import type { Tier } from '../../../../db/staffing/accounts-enums.ts';
import { BASE62, type Ids } from '../../../platform/ids.ts';

const PREFIXES: Record<Tier, string> = { sandbox: 'mpk_test_', live: 'mpk_live_' };
const RANDOM = 34;
export const CHECKSUM = 6;
const FORM = new RegExp(`^(?:mpk_test_|mpk_live_)[0-9A-Za-z]{${RANDOM + CHECKSUM}}$`);

/** Returns the prefix of the keys of a tier. */
export function keyPrefix(tier: Tier): string {
  return PREFIXES[tier];
}

/** Generates a key: prefix, 34 random letters and digits (202 bits), and a checksum of 6 characters. */
export function newPartnerKey(ids: Pick<Ids, 'newText'>, tier: Tier): string {
  const unchecked = ids.newText(PREFIXES[tier], RANDOM);
  return unchecked + checksum(unchecked);
}

/** Returns whether `text` has the format and the checksum of a key. Other texts need no database lookup. */
export function isPartnerKey(text: string): boolean {
  return FORM.test(text) && checksum(text.slice(0, -CHECKSUM)) === text.slice(-CHECKSUM);
}

/** Returns the CRC-32 in 6 base-62 digits. It detects typing errors; it is no protection against guessing. */
function checksum(text: string): string {
  let rest = Bun.hash.crc32(text);
  let digits = '';
  for (let place = 0; place < CHECKSUM; place++) {
    digits = (BASE62[rest % 62] ?? '') + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
