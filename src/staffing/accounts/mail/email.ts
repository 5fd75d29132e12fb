import { domainToASCII } from 'node:url';

/**
 * The form that browsers take (HTML Living Standard, "valid email address"), but that the local part is a dot-atom (RFC 5321,
 * 4.1.2) and the domain ends in a name, not a number.
 */
const FORM =
  /^(?=.{1,64}@)[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

/** An address as it is compared and stored, in lower case; null for what is none. */
export function emailOf(text: string): string | null {
  const lower = text.trim().toLowerCase();
  const at = lower.lastIndexOf('@');
  if (at < 1) return null;
  const address = `${lower.slice(0, at)}@${domainToASCII(lower.slice(at + 1))}`;
  return address.length <= 254 && FORM.test(address) ? address : null;
}
