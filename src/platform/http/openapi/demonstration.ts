import { isJsonObject } from '../../../proof/encoding/json.ts';
import { isThisMachine } from '../../delivery/addresses.ts';
import type { ApiDescription } from './openapi.ts';

/** What a service that demonstrates itself says about it. */
export interface Demonstration {
  /** What is behind it and which keys open it, as Markdown, for the documentation. */
  note: string;
  /** The tokens that Swagger UI uses from the start, by their security schemes. */
  authorized: Readonly<Record<string, string>>;
  /** All tokens to paste, by their security schemes. */
  tokens: Readonly<Record<string, string>>;
}

/** What every page of a demonstration says. */
export const NOTICE = 'Demonstration: made-up data and public keys. Do not store anything real here.';

/** Returns what the documentation says of a demonstration: what it is, and in each place where a token is asked for, which one to paste. */
export function demonstrated(api: ApiDescription, { note, tokens }: Demonstration): ApiDescription {
  const securitySchemes = Object.entries(api.securitySchemes).map(([name, scheme]) => {
    const token = tokens[name];
    if (token === undefined || !isJsonObject(scheme)) return [name, scheme] as const;
    const description = `${scheme.description} In this demonstration, paste \`${token}\`.`;
    return [name, { ...scheme, description }] as const;
  });
  return {
    ...api,
    title: `${api.title} (demonstration)`,
    description: `**${NOTICE}** ${note}\n\n${api.description}`,
    securitySchemes: Object.fromEntries(securitySchemes),
  };
}

/**
 * Returns what to tell the sender of a request whose host is not this machine; null for any other. A web page whose name was made to
 * resolve to 127.0.0.1 (DNS rebinding) could use the keys, which are public.
 */
export function foreignHost({ url }: Request): string | null {
  const { hostname = '' } = URL.parse(url) ?? {};
  if (isThisMachine(hostname)) return null;
  return `A demonstration answers only for this machine, not for the host ${hostname}. Use localhost or 127.0.0.1.`;
}

/** Returns what the start says of a demonstration: its notice, and what to paste, by names. */
export function announcementOf(values: readonly (readonly [name: string, value: string])[]): string[] {
  return [NOTICE, '', ...values.map(([name, value]) => `  ${name.padEnd(14)} ${value}`)];
}
