import type { Tier } from '../../../../db/staffing/accounts-enums.ts';
import { BASE62, type Ids } from '../../../platform/ids.ts';

const PREFIXES: Record<Tier, string> = { sandbox: 'mpk_test_', live: 'mpk_live_' };
const RANDOM = 34;
const CHECKSUM = 6;
const FORM = new RegExp(`^(?:mpk_test_|mpk_live_)[0-9A-Za-z]{${RANDOM + CHECKSUM}}$`);

/** What every key of a tier begins with. */
export function keyPrefix(tier: Tier): string {
  return PREFIXES[tier];
}

/** A new key: prefix, 34 random letters and digits (202 bits), and a checksum of 6. */
export function newPartnerKey(ids: Ids, tier: Tier): string {
  const unchecked = ids.newText(PREFIXES[tier], RANDOM);
  return unchecked + checksum(unchecked);
}

/** Whether `text` has the form of a key and was not mistyped: what is not need never be looked up. */
export function isPartnerKey(text: string): boolean {
  return FORM.test(text) && checksum(text.slice(0, -CHECKSUM)) === text.slice(-CHECKSUM);
}

/** CRC-32 in base 62: 6 digits hold any. It tells slips of the finger, and is no secret. */
function checksum(text: string): string {
  let rest = Bun.hash.crc32(text);
  let digits = '';
  for (let place = 0; place < CHECKSUM; place++) {
    digits = (BASE62[rest % 62] ?? '') + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
