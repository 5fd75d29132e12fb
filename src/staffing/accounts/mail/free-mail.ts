import providers from 'email-providers/all.json' with { type: 'json' };

/** Beside the list: providers whose addresses anybody can have. */
const MORE =
  'tutanota.com tuta.com tuta.io duck.com fastmail.com fastmail.fm hey.com pm.me tempmail.com temp-mail.org ' +
  '10minutemail.com guerrillamail.com sharklasers.com yopmail.com';
const FREE = new Set([...providers, ...MORE.split(' ')]);

/** Whether anybody can have an address there: the domain, or one above it, is a free provider's. */
export function isFreeMail(address: string): boolean {
  const labels = address.slice(address.lastIndexOf('@') + 1).split('.');
  return labels.some((_, index) => FREE.has(labels.slice(index).join('.')));
}
