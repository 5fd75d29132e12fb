import { domainToASCII } from 'node:url';
import providers from 'email-providers/all.json' with { type: 'json' };

/** Beside the list: providers whose addresses anybody can have. */
const MORE =
  'tutanota.com tuta.com tuta.io duck.com fastmail.com fastmail.fm hey.com pm.me tempmail.com temp-mail.org ' +
  '10minutemail.com guerrillamail.com sharklasers.com yopmail.com';
const FREE = new Set([...providers, ...MORE.split(' ')]);
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

/** Whether anybody can have an address there: the domain, or one above it, is a free provider's. */
export function isFreeMail(address: string): boolean {
  const labels = address.slice(address.lastIndexOf('@') + 1).split('.');
  return labels.some((_, index) => FREE.has(labels.slice(index).join('.')));
}
