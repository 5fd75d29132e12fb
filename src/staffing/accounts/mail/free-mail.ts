import providers from 'email-providers/all.json' with { type: 'json' };

/** Free providers that the imported list does not have. */
const MORE =
  'tutanota.com tuta.com tuta.io duck.com fastmail.com fastmail.fm hey.com pm.me tempmail.com temp-mail.org ' +
  '10minutemail.com guerrillamail.com sharklasers.com yopmail.com';
const FREE = new Set([...providers, ...MORE.split(' ')]);

/** Returns whether the address's domain, or a parent domain, belongs to a free mail provider. */
export function isFreeMail(address: string): boolean {
  const labels = address.slice(address.lastIndexOf('@') + 1).split('.');
  return labels.some((_, index) => FREE.has(labels.slice(index).join('.')));
}
