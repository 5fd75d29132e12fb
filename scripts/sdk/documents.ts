import { documentOf } from '../../src/commands/openapi.ts';
import { eventsOf } from '../../src/platform/module.ts';
import { staffingServiceDefinition } from '../../src/staffing/definition.ts';
import { staffingModules } from '../../src/staffing/service/modules.ts';
import { trustServiceDefinition } from '../../src/trust/definition.ts';
import { trustModules } from '../../src/trust/service/modules.ts';

/** The OpenAPI documents, by the name of who uses them, and the events that none of them has. */
export interface Documents {
  trust: unknown;
  staffing: unknown;
  /** The operations for the administrator of the staffing service. */
  'staffing-admin': unknown;
  /** The schemas of the data of the trust service's events, by event. */
  trustEvents: Readonly<Record<string, unknown>>;
}

let made: Promise<Documents> | null = null;

/** Returns the OpenAPI documents of both services, as `countersign openapi` prints them. */
export function documents(): Promise<Documents> {
  made ??= make();
  return made;
}

async function make(): Promise<Documents> {
  const trust = trustServiceDefinition(trustModules);
  const staffing = staffingServiceDefinition(staffingModules);
  const url = 'http://127.0.0.1:3000';
  return {
    trust: await documentOf(trust, url, false),
    staffing: await documentOf(staffing, url, false),
    'staffing-admin': await documentOf(staffing, url, true),
    trustEvents: JSON.parse(JSON.stringify(eventsOf(trustModules))),
  };
}
