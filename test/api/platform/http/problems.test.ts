import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { explanationOf } from '../../../../src/platform/http/errors/errors.ts';
import { ERRORS } from '../../../support/error-codes.ts';
import { responsesOf, staffingDocument } from '../../../support/openapi.ts';
import { openStaffingApp, type StaffingApp } from '../../../support/staffing-app.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

/** What is no problem but a health report: it names its own causes. */
const DEGRADED = 'getHealth 503';

let trust: TrustApp;
let staffing: StaffingApp;
beforeAll(async () => {
  [trust, staffing] = await Promise.all([openTrustApp(), openStaffingApp()]);
});
afterAll(async () => {
  await Promise.all([trust.close(), staffing.close()]);
});

/**
 * Returns the documented responses of all operations that are no success: what each is, its description and
 * its schema.
 */
async function problemsOf(app: TrustApp | StaffingApp) {
  const { get } = app.anyone;
  const document = Object(app === staffing ? await staffingDocument(get) : (await get('/openapi.json')).body);
  return Object.values(document.paths)
    .flatMap((item) => Object.values(Object(item)))
    .flatMap((operation) => {
      const { operationId } = Object(operation);
      return responsesOf(document, operation)
        .filter(([status]) => /^[45]/.test(status) && `${operationId} ${status}` !== DEGRADED)
        .map(([status, response]) => {
          const { description, content } = Object(response);
          return { at: `${operationId} ${status}`, description, content: content?.['application/json'] };
        });
    });
}

/** Returns every string of the `enum`s and `const`s, and every word of the patterns within a schema. */
function constantsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) => {
    if (name === 'enum' && Array.isArray(value)) return value.map(String);
    // The messages of OTLP's errors begin with the code.
    if (name === 'pattern') return String(value).match(/\w+/g) ?? [];
    return name === 'const' ? [String(value)] : constantsIn(value);
  });
}

describe.each(['trust', 'staffing'] as const)('each documented problem of the %s service', (name) => {
  const errors = ERRORS[name];

  test('says for each of its codes what happened and what to do', async () => {
    const problems = await problemsOf(name === 'trust' ? trust : staffing);
    expect(problems.length).toBeGreaterThan(100);
    for (const { at, description, content } of problems) {
      const codes = constantsIn(content?.schema).filter((word) => word in errors);
      if (codes.length === 0) throw new Error(`${at} has no codes`);
      for (const code of codes) {
        const { status = 0, message = '', remedy = '' } = errors[code] ?? {};
        expect([at, description]).toEqual([
          at,
          expect.stringContaining(explanationOf({ code, status, message, remedy })),
        ]);
      }
    }
  });

  test('has an example with the text that a client gets', async () => {
    for (const { at, content } of await problemsOf(name === 'trust' ? trust : staffing)) {
      const { error, reason_code, message = '' } = Object(content?.example);
      const [, codeOfOtlp, textOfOtlp] = /^(\w+): (.+)$/.exec(message) ?? [];
      const ofObject = [error?.code ?? codeOfOtlp, error?.message ?? textOfOtlp];
      const [code, text] = typeof error === 'string' ? [reason_code, error] : ofObject;
      expect([at, typeof text === 'string' && text.length > 20, code in errors]).toEqual([at, true, true]);
    }
  });
});
