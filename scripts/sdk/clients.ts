import type { Client } from './model.ts';

/** The names of the classes of the clients, in every language. */
export const CLASSES: Readonly<Record<Client['name'], string>> = {
  trust: 'TrustClient',
  staffing: 'StaffingClient',
  'staffing-admin': 'StaffingAdminClient',
};

/** Returns the comment of the class of a client. @param key the name of the option with the key */
export function clientComment(name: Client['name'], key: string): string {
  if (name === 'trust') return 'The operations of a trust service.';
  if (name === 'staffing') return 'The operations of a staffing service, for partners.';
  return `The operations of a staffing service, for its administrator. \`${key}\` is the admin token.`;
}
