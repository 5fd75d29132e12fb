import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { JsonObject } from '../../proof/encoding/json.ts';
import { storedPayload } from '../evidence/compression.ts';
import { type Telemetry, TelemetryRequest } from './schema.ts';

let compiled: ReturnType<typeof compile> | undefined;

function compile() {
  return TypeCompiler.Compile(TelemetryRequest);
}

/** Returns a stored body as JSON. @throws Error if it cannot be read */
export function storedBody(payload: Uint8Array): JsonObject {
  return storedPayload(payload);
}

/** Returns a stored body as telemetry; null if it is none. */
export function asTelemetry(body: JsonObject): Telemetry | null {
  compiled ??= compile();
  return compiled.Check(body) ? body : null;
}
