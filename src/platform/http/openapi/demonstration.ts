import { isJsonObject } from '../../../proof/encoding/json.ts';
import { isThisMachine } from '../../network/addresses.ts';
import type { ApiDescription, OperationExamples } from './openapi.ts';

/** The texts and tokens of a demonstration, or of a test service. */
export interface Demonstration {
  kind: 'demo' | 'test';
  /** A description of its data and keys as Markdown, for the documentation. */
  note: string;
  /** The tokens that Swagger UI uses from the start, by security scheme. */
  authorized: Readonly<Record<string, string>>;
  /** All tokens to paste, by security scheme. */
  tokens: Readonly<Record<string, string>>;
  /**
   * Returns requests with which operations work on entities that no other operation needs, also signed ones,
   * which are valid for some minutes. The document is written again when this returns another object. Absent
   * if the examples of the routes suffice.
   */
  requests?(): Promise<OperationExamples>;
}

/** The notice on every page of a demonstration. */
export const NOTICE = 'Demonstration: made-up data and public keys. Do not store anything real here.';
/** The notice on every page of a test service. */
export const TEST_NOTICE =
  'TEST: this service was started with --test. Its data, its keys and its time are made up. What it signs proves nothing.';

/** Returns the notice on every page of a demonstration or a test service; null for any other service. */
export function noticeOf(demonstration: Demonstration | null): string | null {
  if (demonstration === null) return null;
  return demonstration.kind === 'demo' ? NOTICE : TEST_NOTICE;
}

/**
 * Returns the documentation of a demonstration, with the notice and the token to paste in each security
 * scheme.
 */
export function demonstrated(api: ApiDescription, demonstration: Demonstration): ApiDescription {
  const { kind, note, tokens } = demonstration;
  const securitySchemes = Object.entries(api.securitySchemes).map(([name, scheme]) => {
    const token = tokens[name];
    if (token === undefined || !isJsonObject(scheme)) return [name, scheme] as const;
    const description = `${scheme.description} In this demonstration, paste \`${token}\`.`;
    return [name, { ...scheme, description }] as const;
  });
  return {
    ...api,
    title: `${api.title} (${kind === 'demo' ? 'demonstration' : 'test'})`,
    description: `**${noticeOf(demonstration)}** ${note}\n\n${api.description}`,
    securitySchemes: Object.fromEntries(securitySchemes),
  };
}

/** Returns the examples of a service's operations with the requests of its demonstration. */
export async function demonstratedExamples(
  examples: OperationExamples,
  { requests }: Demonstration,
): Promise<OperationExamples> {
  const recorded = Object.entries((await requests?.()) ?? {});
  return {
    ...examples,
    ...Object.fromEntries(
      recorded.map(([operation, request]) => [operation, { ...examples[operation], ...request }]),
    ),
  };
}

/**
 * Returns the error for a request whose host is not this machine; null for other requests. A web page whose
 * name resolves to 127.0.0.1 (DNS rebinding) could otherwise use the public keys.
 */
export function foreignHost({ url }: Request): string | null {
  const { hostname = '' } = URL.parse(url) ?? {};
  if (isThisMachine(hostname)) return null;
  return `This service serves only this machine, not for the host ${hostname}. Use localhost or 127.0.0.1.`;
}

/** Returns the start-up output of a demonstration: its notice, and the values to paste, by name. */
export function announcementOf(values: readonly (readonly [name: string, value: string])[]): string[] {
  return [NOTICE, '', ...values.map(([name, value]) => `  ${name.padEnd(14)} ${value}`)];
}
