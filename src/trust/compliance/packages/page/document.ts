import { isJsonObject, type JsonValue, parseJson } from '../../../../proof/encoding/json.ts';
import type { CompliancePackage } from '../../../../proof/package/format.ts';
import { packageShape } from '../../../../proof/package/shape.ts';

/** Parses the text of a package of this service. @throws Error for another text */
export function documentOf(json: string): CompliancePackage {
  const value = parseJson(json);
  const shape = packageShape(value);
  if ('problems' in shape) throw new Error(`The package has a wrong form: ${shape.problems.join(', ')}`);
  // The shape has only what a verifier uses.
  const { read } = shape;
  const sections = memberAt(value, 'sections');
  if (isJsonObject(sections)) read.sections = sections;
  for (const [index, { sample }] of read.reference_sets.entries()) {
    for (const [position, reference] of sample.entries()) {
      const url = memberAt(value, 'reference_sets', index, 'sample', position, 'payload_url');
      // A path of this service.
      if (typeof url === 'string' && /^\/(?!\/)/.test(url)) reference.payload_url = url;
    }
  }
  return read;
}

/** Returns a member of a member, and so on; null if there is none. */
function memberAt(value: JsonValue, ...path: readonly (string | number)[]): JsonValue {
  let member = value;
  for (const name of path) {
    if (Array.isArray(member) && typeof name === 'number') member = member[name] ?? null;
    else if (isJsonObject(member) && Object.hasOwn(member, name)) member = member[name] ?? null;
    else return null;
  }
  return member;
}
