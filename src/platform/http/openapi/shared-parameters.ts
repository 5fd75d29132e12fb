import { isJsonObject, type JsonObject, type JsonValue } from '../../../proof/encoding/json.ts';
import { operationsOf } from './members.ts';

/**
 * Moves the parameters that several operations have in common to components, where each is written once.
 * Those of one name that differ are numbered from the second one on. What only one operation has stays there.
 * @param paths as in an OpenAPI document
 */
export function shareParameters(paths: JsonObject): { paths: JsonObject; parameters: JsonObject } {
  const uses = new Map<string, number>();
  operationsOf(paths, (operation) => {
    for (const parameter of parametersOf(operation)) {
      const text = JSON.stringify(parameter);
      uses.set(text, (uses.get(text) ?? 0) + 1);
    }
    return operation;
  });
  const names = new Map<string, string>();
  const shared: JsonObject = {};
  const reference = (parameter: JsonValue): JsonValue => {
    const text = JSON.stringify(parameter);
    if (!isJsonObject(parameter) || (uses.get(text) ?? 0) < 2) return parameter;
    const name = names.get(text) ?? freeName(String(parameter.name), shared);
    names.set(text, name);
    shared[name] = parameter;
    return { $ref: `#/components/parameters/${name}` };
  };
  const written = operationsOf(paths, (operation) =>
    operation.parameters === undefined
      ? operation
      : { ...operation, parameters: parametersOf(operation).map(reference) },
  );
  return { paths: written, parameters: shared };
}

function parametersOf({ parameters }: JsonObject): JsonValue[] {
  return Array.isArray(parameters) ? parameters : [];
}

function freeName(name: string, taken: JsonObject): string {
  if (!Object.hasOwn(taken, name)) return name;
  for (let number = 2; ; number++) {
    if (!Object.hasOwn(taken, `${name}-${number}`)) return `${name}-${number}`;
  }
}
