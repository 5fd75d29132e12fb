import { domainToASCII } from 'node:url';

/**
 * The format that browsers accept (HTML Living Standard, "valid email address"), with two additions: the
 * local part is a dot-atom (RFC 5321, 4.1.2), and the domain ends in a name, not a number.
 */
const FORM =
  /^(?=.{1,64}@)[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

/** Normalizes an address to lower case for comparing and storing; returns null for an invalid one. */
export function emailOf(text: string): string | null {
  const lower = text.trim().toLowerCase();
  const at = lower.lastIndexOf('@');
  if (at < 1) return null;
  const address = `${lower.slice(0, at)}@${domainToASCII(lower.slice(at + 1))}`;
  return address.length <= 254 && FORM.test(address) ? address : null;
}
